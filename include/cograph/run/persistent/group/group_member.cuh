// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/lane_order.hpp>
#include <cograph/expr/function/operations.hpp>
#include <cograph/plan/persistent/program.hpp>
#include <cograph/run/kernel/parameter_pack.cuh>
#include <cograph/run/persistent/atomic_word.cuh>
#include <cograph/run/persistent/chunk_exchange.cuh>
#include <cograph/run/persistent/group/kept_elements.cuh>

namespace cograph::core {

template <class Pack>
inline constexpr int most_read_by_all = is_of_many<Pack> ? 1 : few_lanes;  // chunks whose results every thread joins

struct no_sum {};  // of a node that reduces nothing

// One node of a group over elements: its work for an element. A plain one keeps nothing when a chunk ends.
template <class Step, int J, bool Reduces = Step::stage::traits.reduces>
struct group_member {
    template <class Pack>
    __device__ static no_sum start(Pack const&) {
        return {};
    }
    template <class Pack>
    __device__ static void element(index_t i, Pack const& pack, no_sum&) {
        call(i, pack, std::make_integer_sequence<int, Step::count>{});
    }
    template <class Pack>
    __device__ static void leave(auto const&, int, Pack const&, no_sum) {}
    template <class Pack>
    __device__ static void leave_nothing(int, Pack const&) {}
    template <bool Alone, bool Keeps = false, class Pack>
    __device__ static void gather(auto const&, int, int, int, int, Pack const&) {}
    template <class Pack>
    __device__ static bool exchange(auto const&, Pack const&) {
        return false;
    }
    template <class Pack>
    __device__ static bool joins_in_tile(int, Pack const&) {
        return false;
    }
    template <bool Both = false, class Pack>
    __device__ static void join(auto const&, int, Pack const&) {}
    template <bool Both = false, class Pack>
    __device__ static void finish(auto const&, int, Pack const&) {}

private:
    template <class Pack, int... I>
    __device__ static void call(index_t i, Pack const& pack, std::integer_sequence<int, I...>) {
        Step::stage::at(i, parameter<Step::first + I>(pack)...);
    }
};

// The J-th reduction of a group. Its parameters start with its domain, perhaps a length and a loop, term, operation, identity, scratch and
// result.
template <class Step, int J>
struct group_member<Step, J, true> {
    static constexpr int term_at = Step::first + (Step::stage::traits.has_length ? 3 : 1);
    template <class Pack>
    __device__ static auto start(Pack const& pack) {
        return parameter<term_at + 2>(pack);
    }
    template <class Pack, class T>
    __device__ static void element(index_t i, Pack const& pack, T& sum) {
        sum = operation(pack)(sum, term<T>(i, pack, std::make_integer_sequence<int, Step::count>{}));
    }

    // Each warp leaves its part of a chunk.
    template <class Pack, class T>
    __device__ static void leave(auto const& context, int half, Pack const& pack, T sum) {
        // Groups of a warp or more have no term in other lanes than the first, and the largest or least number is that of the first lane then.
        if constexpr (Step::stage::traits.threads_of_group < warp_lanes || word<Pack>::how != word_join::largest) sum = join_lanes<warp_lanes>(sum, operation(pack));
        if (context.lane() == 0) results_of_warps<J, T>(half)[context.warp()] = sum;
    }

    // For a warp that the block does not have.
    template <class Pack>
    __device__ static void leave_nothing(int warp, Pack const& pack) {
        results_of_warps<J, decltype(start(pack))>(0)[warp] = start(pack);
    }

    // A warp of the block combines those of its tiles, whose chunks are `first` and those at every further stride of
    // the number of tiles. Of a group's only reduction, Alone, it brings the block's value to the barrier as well.
    // Keeps: in a kernel whose threads may keep elements.
    template <bool Alone, bool Keeps = false, class Pack>
    __device__ static void gather(auto const& context, int half, int first, int chunks, int tiles_of_block, Pack const& pack) {
        using T = decltype(start(pack));
        if (context.warp() != J) return;
        const int lane = context.lane(), tile = lane / warps_of_tile;
        const int chunk = first + (Keeps ? tile_if_kept(tile) : tile_of_grid<Step::stage::traits.threads_of_group>(tile));
        const bool valid = tile < tiles_of_block && chunk < chunks;
        const T sum = join_lanes<warps_of_tile>(valid ? results_of_warps<J, T>(half)[lane] : start(pack), operation(pack));
        if constexpr (Alone && word<Pack>::how != word_join::none) {
            if (brings(context, pack)) {
                const T of_block = join_lanes<warp_lanes, warps_of_tile>(sum, operation(pack));
                if (lane == 0) context.barrier_all.template bring<word<Pack>::how == word_join::sum>(word<Pack>::of(of_block));
                if constexpr (word<Pack>::always_tells) return;
            }
        }
        chunk_results<J, T>(context, chunks).put(chunk, valid, sum);
    }

    // The barrier of a group's only reduction; true if the result came with it.
    template <class Pack>
    __device__ static bool exchange(auto const& context, Pack const& pack) {
        if constexpr (word<Pack>::how != word_join::none)
            if (brings(context, pack)) return word<Pack>::tells(context.barrier_all.meet(), *parameter<term_at + 4>(pack).at);
        context.barrier_all.wait();
        return false;
    }

    // Results of few chunks every thread joins itself; those of a sum only if it begins with zero, with which this takes less code. Both: others, too, in kernels
    // with tiles.
    template <bool Both = false, class Pack>
    __device__ static bool joins_in_tile(int chunks, Pack const& pack) {
        if constexpr (!Both && is_sum<Pack> && most_read_by_all<Pack> > 1)
            return chunks > most_read_by_all<Pack> || (chunks > 1 && start(pack) != 0);
        else
            return chunks > most_read_by_all<Pack>;
    }
    // After the barrier a tile combines the chunks' results up to its warps.
    template <bool Both = false, class Pack>
    __device__ static void join(auto const& context, int chunks, Pack const& pack) {
        using T = decltype(start(pack));
        if (!joins_in_tile<Both>(chunks, pack) || J % context.tiles_of_block != context.tile_of_block) return;
        const T* const from = chunk_results<J, T>(context, chunks).all();
        const T sum = join_lanes<warp_lanes>(lane_of_chunks(context.lane_of_tile(), from, chunks, start(pack), operation(pack)), operation(pack));
        if (context.lane() == 0) results_of_tile<J, T>()[context.warp() % warps_of_tile] = sum;
    }

    // And every thread joins those, or results of few chunks, in the same order.
    template <bool Both = false, class Pack>
    __device__ static void finish(auto const& context, int chunks, Pack const& pack) {
        using T = decltype(start(pack));
        T* const result = parameter<term_at + 4>(pack).at;
        if (chunks == 1) {
            *result = *chunk_results<J, T>(context, chunks).all();
            return;
        }
        if constexpr (most_read_by_all<Pack> > 1) {
            if (!joins_in_tile<Both>(chunks, pack)) {
                const T* const all = chunk_results<J, T>(context, chunks).all();
                if constexpr (is_sum<Pack>) {
                    if (!Both || start(pack) == 0) {
                        *result = join_few_in_lane_order<reduce_layout::lanes, true>(all, chunks, start(pack), operation(pack));
                        return;
                    }
                }
                *result = join_few_in_lane_order<reduce_layout::lanes, false>(all, chunks, start(pack), operation(pack));
                return;
            }
        }
        *result = join_warps(pack);
    }

protected:
    template <class Pack>
    __device__ static auto join_warps(Pack const& pack) {
        using T = decltype(start(pack));
        const auto op = operation(pack);
        const T* const w = results_of_tile<J, T>();
        static_assert(warps_of_tile == 8);
        const T even = op(op(w[0], w[4]), op(w[2], w[6])), odd = op(op(w[1], w[5]), op(w[3], w[7]));
        return op(even, odd);
    }
    template <class Pack>
    __device__ static auto operation(Pack const& pack) {
        return unwrap(parameter<term_at + 1>(pack));
    }
    template <class Pack>
    using word = joined_word<decltype(operation(std::declval<Pack const&>())), decltype(start(std::declval<Pack const&>()))>;

private:
    template <class Pack>
    static constexpr bool is_sum = std::is_arithmetic_v<decltype(start(std::declval<Pack const&>()))> && std::is_same_v<decltype(operation(std::declval<Pack const&>())), plus>;
    // Whether blocks bring their results to the barrier; then a sum has its identity in it more often.
    template <class Pack>
    __device__ static bool brings(auto const& context, Pack const& pack) {
        if (context.barrier_all.shares_memory()) return false;
        if constexpr (word<Pack>::how == word_join::sum)
            return start(pack) == 0;
        else
            return true;
    }
    template <class T, class Pack, int... I>
    __device__ static T term(index_t i, Pack const& pack, std::integer_sequence<int, I...>) {
        return Step::stage::term(i, parameter<Step::first + I>(pack)...);
    }
};

}  // namespace cograph::core
