// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/persistent/chunk_exchange.cuh>
#include <cograph/run/tiles/group/tile_members.cuh>
#include <cograph/run/tiles/group/tile_sums.cuh>

#include <utility>

namespace cograph::core {

// The reductions of a group: how threads, blocks and the grid join their sums. Numbers: of its members.
template <class Numbers, class... Steps>
class tile_reductions;
template <int... I, class... Steps>
class tile_reductions<std::integer_sequence<int, I...>, Steps...> {
    using members = tile_members<Steps...>;
    template <class Step, int J>
    using member = typename members::template member<Step, J>;
    static constexpr bool is_alone = members::reductions == 1;

public:
    // In any order, by words if they tell the result.
    template <class Pack, class Tiles, class Sums>
    __device__ static void join(auto const& context, Pack const& pack, [[maybe_unused]] Tiles& tiles, [[maybe_unused]] Sums& sums) {
        if constexpr (is_alone && Tiles::runs_ahead) {
            (join_later<Steps, I>(context, pack, tiles, own_parameter<I>(sums)), ...);
        } else if constexpr (members::reductions > 0) {
            if constexpr (is_alone && Tiles::joins_words)
                if ((join_words<Steps, I>(context, pack, tiles, own_parameter<I>(sums)) || ...)) return;
            decltype(auto) here = find_again<Tiles>(context);
            (member<Steps, I>::leave(here, 0, pack, own_parameter<I>(sums)), ...);
            join_left<is_alone && !Tiles::joins_words>(here, pack);
        }
    }
    // If blocks run ahead: the result of the only one, and that of the iteration before if its word did not tell it.
    template <class Pack>
    __device__ static auto& result(Pack const& pack) {
        return *parameter<term_of_reduction() + 4>(pack).at;
    }
    template <class Pack, class Tiles>
    __device__ static void join_earlier(auto const& context, Pack const& pack, Tiles& tiles) {
        (leave_earlier<Steps, I>(context, pack, tiles), ...);
        join_left<false>(context, pack);
    }

    // In the order of the box. Threads of a block have to synchronize between leaving and bringing, and before they finish.
    template <class Pack, class Tiles, class Sums>
    __device__ static void leave_in_order(Pack const& pack, Tiles& tiles, Sums& sums) {
        tiles.meeting.begin_meeting();
        (leave_in_order<Steps, I>(pack, tiles, sums), ...);
    }
    template <class Pack, class Tiles>
    __device__ static void bring_in_order(Pack const& pack, Tiles& tiles) {
        (member<Steps, I>::bring_in_order(pack, tiles.meeting), ...);
    }
    template <class Pack, class Tiles>
    __device__ static void meet_in_order(Pack const& pack, Tiles& tiles) {
        (member<Steps, I>::meet_in_order(pack, tiles.meeting), ...);
    }
    template <class Pack>
    __device__ static void finish_in_order(Pack const& pack) {
        (member<Steps, I>::finish_in_order(pack), ...);
    }

private:
    // What follows from the thread's number is found where it is needed, if threads have no registers for it. The compiler would find it before the loop, and keep it.
    template <class Tiles>
    __device__ static decltype(auto) find_again(auto const& context) {
        if constexpr (Tiles::is_tight) {
            char* memory = context.memory;
            asm volatile("" : "+l"(memory));
            return persistent_context<true>{context.barrier_all, memory, context.round, context.overflows, {context.kept[0], context.kept[1]}};
        } else {
            return (context);
        }
    }
    // What warps have left. Alone: with the barrier, blocks exchange the results of the only one.
    template <bool Alone, class Pack>
    __device__ static void join_left(auto const& context, Pack const& pack) {
        // The last 256 threads of a block may lack warps, which leave nothing.
        const int warps = static_cast<int>(blockDim.x) / warp_lanes, of_block = quotient_up(warps, warps_of_tile), chunks = of_block * static_cast<int>(gridDim.x);
        if (context.thread + warps < of_block * warps_of_tile) (member<Steps, I>::leave_nothing(context.thread + warps, pack), ...);
        __syncthreads();
        (member<Steps, I>::template gather<Alone>(context, 0, 0, chunks, of_block, pack), ...);
        bool known = false;
        if constexpr (Alone)
            known = (member<Steps, I>::exchange(context, pack) || ...);
        else
            context.barrier_all.wait();
        if (!known) {
            (member<Steps, I>::template join<true>(context, chunks, pack), ...);
            if (chunks > 1) __syncthreads();
            (member<Steps, I>::template finish<true>(context, chunks, pack), ...);
        }
        ++context.round;
    }
    template <class Step, int J, class Pack, class Tiles, class Sum>
    __device__ static bool join_words(auto const& context, Pack const& pack, Tiles& tiles, Sum const& sum) {
        return member<Step, J>::join_words(pack, sum, [&](auto how, unsigned long long word) { return tiles.template join<decltype(how)::value>(context, word); });
    }
    template <class Step, int J, class Pack, class Tiles, class Sum>
    __device__ static void join_later(auto const& context, Pack const& pack, Tiles& tiles, Sum const& sum) {
        if constexpr (Step::stage::traits.reduces) tiles.sum.keep(sum, join_words<Step, J>(context, pack, tiles, sum));
    }
    template <class Step, int J, class Pack, class Tiles>
    __device__ static void leave_earlier(auto const& context, Pack const& pack, Tiles& tiles) {
        if constexpr (Step::stage::traits.reduces) member<Step, J>::leave(context, 0, pack, tiles.sum.template earlier<decltype(member<Step, J>::start(pack))>());
    }
    COGRAPH_HD static constexpr int term_of_reduction() {
        int at = 0;
        ((at += term_of<Steps, I>()), ...);
        return at;
    }
    template <class Step, int J>
    COGRAPH_HD static constexpr int term_of() {
        if constexpr (Step::stage::traits.reduces)
            return member<Step, J>::term_at;
        else
            return 0;
    }

    // Reductions that join alike leave their terms in pairs.
    template <class Step, int Member, class Pack, class Tiles, class Sums>
    __device__ static void leave_in_order(Pack const& pack, Tiles& tiles, Sums& sums) {
        if constexpr (Step::stage::traits.reduces) {
            constexpr int j = members::reductions_before(Member), other = members::member_with(j % 2 == 0 ? j + 1 : j - 1);
            if constexpr (!members::template joins_alike<Pack, Member, other>())
                member<Step, Member>::leave_in_order(pack, tiles.meeting, own_parameter<Member>(sums));
            else if constexpr (other > Member)
                member<Step, Member>::leave_two_in_order(pack, tiles.meeting, own_parameter<Member>(sums), own_parameter<other>(sums));
        }
    }
};

}  // namespace cograph::core
