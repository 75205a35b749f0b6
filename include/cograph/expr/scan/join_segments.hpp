// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/scan/kept_numbers.hpp>

namespace cograph::core {

// The result of a lane from its terms: whole segments are put, and the rest is kept until it is known what is before it.
template <class T>
struct lane_of_segments {
    T head, open;     // the join of the terms up to the first segment's end, and after the last one's
    index_t segment;  // that first segment, if one ends
    bool ends;

    // If arguments are aligned, the compiler may read those of several terms at once.
    template <class Offset, class F, class Op>
    COGRAPH_HD void join(terms_in_tile<Offset> const& tile, int lane, index_t near, numbered_terms const& numbers, F const& term, Op const& op, T const& identity, T* sums) {
        const index_t first = tile.tile + lane * terms_of_lane;
        const unsigned has = tile.terms_of(lane);
        T terms[terms_of_lane] = {identity, identity, identity, identity, identity, identity, identity, identity};
#ifdef __CUDA_ARCH__
        if (has == (1u << terms_of_lane) - 1 && term.is_aligned) {
#pragma unroll
            for (int j = 0; j < terms_of_lane; ++j) terms[j] = term.of_aligned(near + numbers.segment[j], first + j);
        } else {
#pragma unroll
            for (int j = 0; j < terms_of_lane; ++j)
                if (has >> j & 1) terms[j] = term.of(near + numbers.segment[j], first + j);
        }
#else
        for (int j = 0; j < terms_of_lane; ++j)
            if (has >> j & 1) terms[j] = term.of(near + numbers.segment[j], first + j);
#endif
        head = open = identity;
        segment = 0;
        ends = false;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
        for (int j = 0; j < terms_of_lane; ++j) {
            open = op(open, terms[j]);
            if (numbers.at_end >> j & 1) {
                sums[near + numbers.segment[j]] = open;  // that of the first end is not yet whole
                if (!ends) head = open, segment = near + numbers.segment[j];
                open = identity;
            }
            ends |= numbers.at_end >> j & 1;
        }
    }
};

// Joins a tile by segment. `open` is the join since the last segment's end in this chunk, `ended` whether there was one. Lanes between which no
// segment ends are joined as in a scan. Each looks 1, 2, 4, … lanes below itself in its warp, no further than the last end; then warps
// do. The first end of a lane gets the join of the terms before it.
#ifdef __CUDACC__
template <class Numbers, class Group, class Offset, class F, class Op, class T, class Put>
__device__ void join_tile_on_device(Numbers& numbers, Group const& group, terms_in_tile<Offset> const& tile, index_t& near, F const& term, Op const& op, T const& identity, T* sums, T& open, bool& ended, Put const& put) {
    constexpr int warps = chunk_layout::threads / warp_lanes, groups = 1024 / chunk_layout::threads;
    __shared__ alignas(T) unsigned char rooms[groups][Numbers::rooms][warps * sizeof(T)];
    __shared__ bool ended_rooms[groups][Numbers::rooms][warps];
    T* const of_warp = reinterpret_cast<T*>(rooms[threadIdx.x / chunk_layout::threads][numbers.room()]);
    bool* const ended_of_warp = ended_rooms[threadIdx.x / chunk_layout::threads][numbers.room()];
    const int own = group.rank(), lane = own % warp_lanes, warp = own / warp_lanes;
    const auto from_below = [](T value, int offset) { return shuffle_words(value, [&](unsigned word) { return __shfl_up_sync(~0u, word, offset); }); };
    const auto from_lane = [](T value, int of) { return shuffle_words(value, [&](unsigned word) { return __shfl_sync(~0u, word, of); }); };
    const auto highest = [](unsigned bits) { return bits ? 31 - __clz(static_cast<int>(bits)) : 0; };

    unsigned of_all = 0;
    lane_of_segments<T> mine;
    mine.join(tile, own, near, numbers.of(tile, group, near, of_all), term, op, identity, sums);
    const unsigned ends = __ballot_sync(~0u, mine.ends), below = ends & ((1u << lane) - 1);
    const int start = highest(below | (mine.ends ? 1u << lane : 0));
#pragma unroll
    for (int offset = 1; offset < warp_lanes; offset *= 2) {
        const T left = from_below(mine.open, offset);
        if (lane - offset >= start) mine.open = op(left, mine.open);
    }
    T into = from_below(mine.open, 1);
    if (lane == 0) into = identity;
    if (lane == warp_lanes - 1) {
        of_warp[warp] = mine.open;
        ended_of_warp[warp] = ends != 0;
    }
    group.sync();
    T total = identity;
    if (lane < warps) total = of_warp[lane];
    const unsigned ended_warps = __ballot_sync(~0u, lane < warps && ended_of_warp[lane]), ended_below = ended_warps & ((1u << warp) - 1);
    const int start_of_warps = highest(ended_warps & ((2u << lane) - 1));
#pragma unroll
    for (int offset = 1; offset < warps; offset *= 2) {
        const T left = from_below(total, offset);
        if (lane < warps && lane - offset >= start_of_warps) total = op(left, total);
    }
    T before = from_lane(total, warp > 0 ? warp - 1 : 0);
    const T all = from_lane(total, warps - 1);
    if (warp == 0)
        before = open;
    else if (!ended_below)
        before = op(open, before);
    if (!below) into = op(before, into);
    if (mine.ends) put(mine.segment, static_cast<T>(op(into, mine.head)), !ended && !below && !ended_below);
    if (ended_warps)
        open = all;
    else
        open = op(open, all);
    ended |= ended_warps != 0;
    near += of_all;
}
#endif
COGRAPH_EXEC_CHECK_OFF
template <class Numbers, class Group, class Offset, class F, class Op, class T, class Put>
COGRAPH_HD void join_tile([[maybe_unused]] Numbers& numbers, [[maybe_unused]] Group const& group, terms_in_tile<Offset> const& tile, index_t& near, F const& term, Op const& op, T const& identity, T* sums, T& open, bool& ended, Put const& put) {
#ifdef __CUDA_ARCH__
    join_tile_on_device(numbers, group, tile, near, term, op, identity, sums, open, ended, put);
#else
    constexpr int lanes = chunk_layout::threads, warps = lanes / warp_lanes;
    lane_values<lanes, lane_of_segments<T>> lane({identity, identity, 0, false});
    lane_values<warps, T> total(identity);
    int last_end[warps + 1], ends_before = -1;  // of a warp's lanes; of the warps before one
    index_t at = near;
    for (int k = 0; k < lanes; ++k) lane[k].join(tile, k, near, tile.number(k, near, at), term, op, identity, sums);
    for (int warp = 0; warp < warps; ++warp) {
        const int first = warp * warp_lanes;
        const auto start_of = [&](int k) {
            while (k > first && !lane[k].ends) --k;
            return k;
        };
        for (int offset = 1; offset < warp_lanes; offset *= 2)
            for (int k = first + warp_lanes - 1; k >= first + offset; --k)
                if (k - offset >= start_of(k)) lane[k].open = op(lane[k - offset].open, lane[k].open);
        total[warp] = lane[first + warp_lanes - 1].open;
        const int end = start_of(first + warp_lanes - 1);
        last_end[warp] = lane[end].ends ? end : -1;
    }
    const auto start_of_warps = [&](int warp) {
        for (; warp > 0; --warp)
            if (last_end[warp] >= 0) break;
        return warp;
    };
    for (int offset = 1; offset < warps; offset *= 2)
        for (int warp = warps - 1; warp >= offset; --warp)
            if (warp - offset >= start_of_warps(warp)) total[warp] = op(total[warp - offset], total[warp]);
    const T carried = open;
    for (int warp = 0; warp < warps; ++warp) {
        T before = carried;
        if (warp > 0) before = ends_before >= 0 ? total[warp - 1] : static_cast<T>(op(carried, total[warp - 1]));
        bool below = false;
        for (int k = warp * warp_lanes; k < (warp + 1) * warp_lanes; ++k) {
            T into = k % warp_lanes == 0 ? identity : lane[k - 1].open;
            if (!below) into = op(before, into);
            if (lane[k].ends) put(lane[k].segment, static_cast<T>(op(into, lane[k].head)), !ended && !below && ends_before < 0);
            below |= lane[k].ends;
        }
        if (last_end[warp] >= 0) ends_before = last_end[warp];
    }
    open = ends_before >= 0 ? total[warps - 1] : static_cast<T>(op(carried, total[warps - 1]));
    ended |= ends_before >= 0;
    near = at;
#endif
}

}  // namespace cograph::core
