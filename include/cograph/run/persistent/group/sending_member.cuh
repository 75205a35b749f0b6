// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/persistent/group/group_member.cuh>

namespace cograph::core {

// One node of a group in a kernel whose blocks send results to each other, in place of a barrier.
template <class Step, int J, bool Reduces = Step::stage::traits.reduces>
struct sending_member : group_member<Step, J> {
    template <class Pack>
    __device__ static void send(auto const&, int, Pack const&) {}
    template <class Pack>
    __device__ static void receive(auto const&, int, Pack const&) {}
    template <class Pack>
    __device__ static void finish_received(int, Pack const&) {}
};
template <class Step, int J>
struct sending_member<Step, J, true> : group_member<Step, J> {
    using base = group_member<Step, J>;
    using base::term_at, base::start, base::operation, base::join_warps;

    // A warp sends the result of its block to all blocks, in copies. Blocks without a chunk send one, too, so that none is two meetings ahead.
    template <class Pack>
    __device__ static void send(auto const& context, int chunks, Pack const& pack) {
        using T = decltype(start(pack));
        if (context.warp() != J) return;
        const int lane = context.lane();
        const auto op = operation(pack);
        const T of_tile = join_lanes<warps_of_tile>(lane < context.tiles_of_block * warps_of_tile ? results_of_warps<J, T>(0)[lane] : start(pack), op);
        const auto of = [&](int tile) { return shuffle_words(of_tile, [&](unsigned word) { return __shfl_sync(~0u, word, tile * warps_of_tile); }); };
        T sent = of(0);
        if constexpr (sends_in_pairs<Pack>) {
            const T second = of(1);
            const int block = static_cast<int>(blockIdx.x);
            const T sum = op(chunk_in_pairs(block, 0) < chunks ? op(start(pack), sent) : start(pack), chunk_in_pairs(block, 1) < chunks ? op(start(pack), second) : start(pack));
            if (chunks != 1) sent = sum;
        }
        if (lane < copies<Pack>) sent_result<J, T>(context, lane, blockIdx.x)->put(sent, context.round + 1);
    }
    // A tile waits for them and combines them up to its warps, as `join` does.
    template <class Pack>
    __device__ static void receive(auto const& context, int chunks, Pack const& pack) {
        using T = decltype(start(pack));
        if (J % context.tiles_of_block != context.tile_of_block) return;
        const int lane = context.lane_of_tile();
        const exchanged<T>* const sent = sent_result<J, T>(context, blockIdx.x % copies<Pack>, lane);
        const auto op = operation(pack);
        copy_of_element<T> own;
        T sum = start(pack);
        bool missing;
        do {  // of a whole warp: lanes that leave one by one would join their values one by one, too
            missing = lane < static_cast<int>(gridDim.x) && !sent->get(own.value, context.round + 1);
        } while (__any_sync(~0u, missing));
        T* const of_tile = results_of_tile<J, T>();
        if constexpr (sends_in_pairs<Pack>) {
            sum = lane < static_cast<int>(gridDim.x) ? own.value : op(sum, sum);
            const T of_warp = join_lanes<chunks_apart>(sum, op);
            if (lane % chunks_apart == 0 && lane < most_chunks_in_pairs / 2) of_tile[lane / chunks_apart] = chunks == 1 ? sum : of_warp;
        } else {
            if (lane < chunks) sum = chunks == 1 ? own.value : op(sum, own.value);
            const T of_warp = join_lanes<warp_lanes>(sum, op);
            if (context.lane() == 0) of_tile[context.warp() % warps_of_tile] = chunks == 1 ? sum : of_warp;
        }
    }
    template <class Pack>
    __device__ static void finish_received(int chunks, Pack const& pack) {
        *parameter<term_at + 4>(pack).at = chunks == 1 ? *results_of_tile<J, decltype(start(pack))>() : join_warps(pack);
    }

private:
    template <class Pack>
    static constexpr int copies = sends_in_pairs<Pack> ? copies_of_pairs : copies_of_sent;
};

}  // namespace cograph::core
