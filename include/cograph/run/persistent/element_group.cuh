// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/phases/phase_cost.hpp>
#include <cograph/run/persistent/group_member.cuh>

namespace cograph::core {

// Whether a kernel runs over so few elements that a thread has one at most, whose copies it keeps.
template <class Pack>
inline constexpr bool has_one_element = false;
template <class Pack>
inline constexpr bool has_one_element<pack_of_element<Pack>> = true;

// Nodes of which the first block may have several chunks.
template <class Stage>
inline constexpr bool is_narrow_stage = requires { typename Stage::narrow; };

// Nodes over one domain in one loop. If some reduce, a barrier follows, and every thread gets the results.
template <class... Steps>
struct element_group {
    using leader = typename pick_type<0, Steps...>::type;
    using numbers = std::make_integer_sequence<int, sizeof...(Steps)>;
    COGRAPH_HD static constexpr int reductions_before(int member) {
        constexpr bool reduces[] = {Steps::stage::traits.reduces...};
        int count = 0;
        for (int i = 0; i < member; ++i) count += reduces[i];
        return count;
    }
    static constexpr int reductions = reductions_before(sizeof...(Steps));
    // Threads that have an element together: those of a reduction by groups, which is alone in its loop. At most that many tiles of a block have
    // barriers for their groups; of tiles that have a group together, there are whole groups.
    static constexpr int together = leader::stage::traits.threads_of_group > 0 ? leader::stage::traits.threads_of_group : 1;
    static constexpr int tiles_of_group = tiles_in_a_row<together>;
    static constexpr int most_tiles_together = (together > warp_lanes ? 15 * together : persistent_threads) / reduce_layout::lanes;
    static constexpr bool takes_all_tiles = tiles_of_group == 1 && most_tiles_together >= persistent_threads / reduce_layout::lanes;

    template <class Pack>
    __device__ static void run(persistent_context const& context, Pack const& pack) {
        if constexpr (requires { pack.tiles; }) {
            pack.template run<Steps...>(context);  // run/tiles
        } else {
            bool in_first_block = false;
            if constexpr (reductions == 0 && leader::before > barrier::grid) in_first_block = is_in_first_block(context, pack);
            keep_order<leader::before>(context, in_first_block);
            run(context, pack, numbers{});
        }
    }
    // Reads the copies of a thread's one element; of kept ones, brings all from memory or there.
    template <class Pack, bool Leaves>
    __device__ static void fill(persistent_context const& context, pack_of_kept<Pack, Leaves> const& kept) {
        if constexpr (kept_group<Steps...>::template has<pack_of_kept<Pack>>()) {
            const auto order = order_of(context, kept);
            const int n = static_cast<int>(order.is_cut() ? order.positions() : static_cast<index_t>(parameter<leader::first>(kept)));
            if constexpr (!Leaves) context.whole = kept_group<Steps...>::find_whole(n, kept);  // all such nodes run over one domain
            kept_group<Steps...>::move(order, own_element(context), n, context.whole, kept);
        }
    }
    template <class Pack>
    __device__ static void fill(persistent_context const& context, pack_that_leaves<Pack> const& leaving) {
        kept_group<Steps...>::leave_only(own_element(context), static_cast<index_t>(parameter<leader::first>(leaving)), leaving.of);
    }
    template <class Pack>
    __device__ static void fill(persistent_context const& context, Pack const& pack) {
        const int i = own_element(context);
        if (i < static_cast<index_t>(parameter<leader::first>(pack))) fill<true>(i, pack);
    }

    // The only node of a group, behind its barrier.
    template <class Pack>
    __device__ static void run_alone(persistent_context const& context, Pack const& pack) {
        run(context, pack, numbers{});
    }
    template <class Pack>
    __device__ static bool is_in_first_block(persistent_context const& context, Pack const& pack) {
        return is_in_first_block<Pack>(elements(context, pack));
    }

private:
    // The first chunk, or as many elements as the first block runs in less time than all.
    template <class Pack>
    __device__ static bool is_in_first_block(index_t n) {
        if constexpr (is_narrow<Pack>) {
            static_assert(elements_alone == 1);  // its tiles take no second chunk
            return n <= static_cast<int>(blockDim.x);
        } else {
            return n <= reduce_layout::lanes;
        }
    }
    template <class Pack>
    static constexpr bool is_narrow = reductions == 0 && is_narrow_stage<typename leader::stage> && !has_one_element<Pack> && !keeps_elements<Pack>;
    template <class Pack>
    __device__ static int first_tile(persistent_context const& context, index_t n) {
        if constexpr (is_narrow<Pack>)
            if (is_in_first_block<Pack>(n)) return blockIdx.x == 0 ? context.tile_of_block : reduce_layout::most_chunks;
        return context.tile;
    }
    template <class Pack>
    __device__ static index_t elements(persistent_context const& context, Pack const& pack) {
        if constexpr (leader::stage::traits.has_length)
            return together * leader::stage::elements(context, parameter<leader::first>(pack), parameter<leader::first + 1>(pack), {}).count;
        else if constexpr (leader::stage::traits.every != 1)
            return leader::stage::elements_of_subset(static_cast<index_t>(parameter<leader::first>(pack)));
        else
            return together * static_cast<index_t>(parameter<leader::first>(pack));
    }

    // Of a box whose elements threads have in its order: `elements` counts positions then.
    struct order_of_numbers {
        __device__ static constexpr bool is_cut() { return false; }
        __device__ static constexpr index_t positions() { return 0; }
        __device__ static constexpr index_t element(index_t position) { return position; }
    };
    static constexpr bool is_over_box = leader::stage::traits.box_rank == 2 && leader::stage::traits.every == 1;
    template <class Pack>
    __device__ static auto order_of([[maybe_unused]] persistent_context const& context, [[maybe_unused]] Pack const& pack) {
        if constexpr (is_over_box) {
            constexpr int side = leader::first + leader::stage::traits.first_side;
            return context.in_order ? box_order(static_cast<index_t>(unwrap(parameter<side>(pack))), static_cast<index_t>(unwrap(parameter<side + 1>(pack)))) : box_order(0, 0);
        } else {
            return order_of_numbers{};
        }
    }

    template <class Step, int I>
    using member = group_member<Step, reductions_before(I)>;

    template <class Pack, int... I>
    __device__ static void run(persistent_context const& context, Pack const& pack, std::integer_sequence<int, I...>) {
        const auto order = order_of(context, pack);
        const index_t n = order.is_cut() ? order.positions() : elements(context, pack);
        const reduce_layout layout(n);
        if constexpr (reductions == 0) {
            parameter_pack<numbers, decltype(member<Steps, I>::start(pack))...> nothing(member<Steps, I>::start(pack)...);
            if constexpr (has_one_element<Pack>)
                run_own(context, n, pack, nothing);
            else
                for (int chunk = first_tile<Pack>(context, n); chunk < layout.chunks; chunk += context.tiles) run_chunk(context, order, chunk, layout, n, pack, nothing);
        } else if constexpr (sends_results<Pack>) {
            parameter_pack<numbers, decltype(member<Steps, I>::start(pack))...> sums(member<Steps, I>::start(pack)...);
            run_own(context, n, pack, sums);
            (member<Steps, I>::leave(context, 0, pack, own_parameter<I>(sums)), ...);
            __syncthreads();
            (member<Steps, I>::send(context, layout.chunks, pack), ...);
            (member<Steps, I>::receive(context, layout.chunks, pack), ...);
            __syncthreads();
            (member<Steps, I>::finish_received(layout.chunks, pack), ...);
            ++context.round;
        } else {
            // All tiles of a block pass the same barriers.
            int half = 0;
            const int tiles_of_block = (takes_all_tiles || context.tiles_of_block < most_tiles_together ? context.tiles_of_block : most_tiles_together) / tiles_of_group * tiles_of_group;
            const int tiles = takes_all_tiles ? context.tiles : tiles_of_block * static_cast<int>(gridDim.x);
            for (int first = 0; first < layout.chunks; first += tiles) {
                parameter_pack<numbers, decltype(member<Steps, I>::start(pack))...> sums(member<Steps, I>::start(pack)...);
                if constexpr (has_one_element<Pack> && together == 1)
                    run_own(context, n, pack, sums);
                else if (const int own = tiles_of_group == 1 ? context.tile : tile_of_grid<together>(context.tile_of_block); first + own < layout.chunks && (takes_all_tiles || context.tile_of_block < tiles_of_block))
                    run_chunk(context, order, first + own, layout, n, pack, sums);
                (member<Steps, I>::leave(context, half, pack, own_parameter<I>(sums)), ...);
                __syncthreads();
                (member<Steps, I>::template gather<reductions == 1>(context, half, first, layout.chunks, tiles_of_block, pack), ...);
                if constexpr (has_one_element<Pack> && together == 1) break;
                half ^= 1;
            }
            bool known = false;
            if constexpr (reductions == 1)
                known = (member<Steps, I>::exchange(context, pack) || ...);
            else
                context.barrier_all.wait();
            if (!known) {
                const int chunks = found_again(pack, layout.chunks);
                (member<Steps, I>::join(context, chunks, pack), ...);
                if (chunks > most_read_by_all) __syncthreads();
                (member<Steps, I>::finish(context, chunks, pack), ...);
            }
            ++context.round;
        }
    }

    __device__ static int own_element(persistent_context const& context) { return reduce_layout::lanes * context.tile + context.lane_of_tile(); }
    // If nodes write through pointers, their results for the number are found again in every iteration. The compiler would keep them, and
    // order their loads one after another: on an H200, Jacobi's method over 256^2 in strips takes 2.14 us an iteration, and would take 2.29.
    template <class Pack, class Sums>
    __device__ static void run_own(persistent_context const& context, index_t n, pack_of_element<Pack> const& pack, Sums& sums) {
        const int own = own_element(context);
        const int i = most_written<Pack>() == written::elsewhere ? keep(own) : own;
        if (i >= n) return;
        run_element(i, pack, sums, numbers{});
        if constexpr (Pack::keeps)
            kept_group<Steps...>::write_back(i, pack);
        else
            write_back(i, pack);
    }

    // In the same loops, what follows from the number of chunks would fill predicates for the whole loop.
    template <class Pack>
    __device__ static int found_again(Pack const&, int chunks) {
        return chunks;
    }
    template <class Pack>
    __device__ static int found_again(pack_of_element<Pack> const&, int chunks) {
        return most_written<Pack>() == written::elsewhere ? keep(chunks) : chunks;
    }

    template <class Order, class Pack, class Sums>
    __device__ static void run_chunk(persistent_context const& context, Order const& order, int chunk, reduce_layout layout, index_t n, pack_of_kept<Pack> const& kept, Sums& sums) {
        if constexpr (kept_group<Steps...>::template has<pack_of_kept<Pack>>()) {
            const auto run = [&](index_t i, pack_of_element<Pack> const& of) { run_element(i, of, sums, numbers{}); };
            const int first = static_cast<int>(layout.first(chunk)) + context.lane_of_tile();
            if (order.is_cut())
                kept_group<Steps...>::run_in_order(order, first, static_cast<int>(n), context.whole, kept, run);
            else
                kept_group<Steps...>::template run<reductions == 0>(first, static_cast<int>(n), context.whole, kept, run);
        } else {
            run_chunk(context, order, chunk, layout, n, kept.pack, sums);
        }
    }
    template <class Order, class Pack, class Sums>
    __device__ static void run_chunk(persistent_context const& context, Order const& order, int chunk, reduce_layout layout, index_t n, Pack const& pack, Sums& sums) {
        index_t i = layout.first(chunk) + context.lane_of_tile();
        const index_t stride = layout.stride();
        if constexpr (together > 1) {  // not over a box
            every<1>(i, n, stride, [&](index_t lane) { run_element(lane, pack, sums, numbers{}); });
        } else if (order.is_cut()) {
#pragma unroll 1
            for (; i < n; i += stride) {
                const index_t at = order.element(i);
                if (at < 0) continue;
                if constexpr (most_written<Pack>() == written::copied)
                    run_copied(at, pack, sums);
                else
                    run_element(at, pack, sums, numbers{});
            }
        } else {
            constexpr written most = most_written<Pack>();
            if constexpr (most == written::copied && is_compact<Pack>) {
#pragma unroll 1
                for (; i < n; i += 2 * stride) run_pair(i, i + stride, i + stride < n, pack, sums);
            } else if constexpr (most == written::copied) {
                if (layout.chunks == reduce_layout::most_chunks) {
#pragma unroll 1
                    for (; i + stride < n; i += 2 * stride) run_pair(i, i + stride, true, pack, sums);
                }
#pragma unroll 1
                for (; i < n; i += stride) run_copied(i, pack, sums);
            } else {
                every<most == written::nothing ? 4 : 1>(i, n, stride, [&](index_t at) { run_element(at, pack, sums, numbers{}); });
            }
        }
    }

    // One element on a copy of it: all of its loads come before its stores.
    template <class Pack, class Sums>
    __device__ static void run_copied(index_t i, Pack const& pack, Sums& sums) {
        element_copies<Pack> copies;
        const pack_of_element<Pack> copied{pack, copies};
        fill<false>(i, copied);
        run_element(i, copied, sums, numbers{});
        write_back(i, copied);
    }
    // Two elements on copies of them, so that their loads overlap: the compiler could not tell that the second does not read what the
    // first has written. In compact code the second may not be there.
    template <class Pack, class Sums>
    __device__ static void run_pair(index_t i, index_t j, bool both, Pack const& pack, Sums& sums) {
        element_copies<Pack> copies[2];
        const pack_of_element<Pack> first{pack, copies[0]}, second{pack, copies[1]};
        fill<false>(i, first);
        if (both) fill<false>(j, second);
        run_element(i, first, sums, numbers{});
        if (both) run_element(j, second, sums, numbers{});
        write_back(i, first);
        if (both) write_back(j, second);
    }

    template <class Pack, class Sums, int... I>
    __device__ static void run_element(index_t i, Pack const& pack, Sums& sums, std::integer_sequence<int, I...>) {
        (member<Steps, I>::element(i, pack, own_parameter<I>(sums)), ...);
    }
    template <bool OnlyFilled, class Pack>
    __device__ static void fill(index_t i, Pack const& pack) {
        (fill<OnlyFilled, Steps::first>(i, pack, std::make_integer_sequence<int, Steps::count>{}), ...);
    }
    template <bool OnlyFilled, int First, class Pack, int... I>
    __device__ static void fill(index_t i, Pack const& pack, std::integer_sequence<int, I...>) {
        (pack.template fill<First + I, OnlyFilled>(i), ...);
    }
    template <class Pack>
    __device__ static void write_back(index_t i, Pack const& pack) {
        (write_back<Steps::first>(i, pack, std::make_integer_sequence<int, Steps::count>{}), ...);
    }
    template <int First, class Pack, int... I>
    __device__ static void write_back(index_t i, Pack const& pack, std::integer_sequence<int, I...>) {
        (pack.template write_back<First + I>(i), ...);
    }

    template <class Pack>
    COGRAPH_HD static constexpr written most_written() {
        written most = written::nothing;
        for (written one : {written_by_member<Steps, Pack>(std::make_integer_sequence<int, Steps::count>{})...})
            if (one > most) most = one;
        return most;
    }
    template <class Step, class Pack, int... I>
    COGRAPH_HD static constexpr written written_by_member(std::integer_sequence<int, I...>) {
        written most = written::nothing;
        for (written one : {written_by<parameter_type<Step::first + I, Pack>, Pack::slot_of(Step::first + I)>...})
            if (one > most) most = one;
        return most;
    }
};

}  // namespace cograph::core
