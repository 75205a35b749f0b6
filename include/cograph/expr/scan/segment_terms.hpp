// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/scan/chunks.hpp>

namespace cograph::core {

// The segments that a node joins: their beginnings, and how many of `all` terms they have.
template <class Offset>
struct segment_list {
    const Offset* begins;
    index_t count, all;

    COGRAPH_HD index_t begin(index_t segment) const { return static_cast<index_t>(begins[segment]); }
    COGRAPH_HD index_t end(index_t segment) const {
        const index_t next = begin(segment + 1);
        return next < all ? next : all;
    }
};
COGRAPH_HD constexpr index_t segments_of(index_t offsets, index_t results) { return offsets - 1 < results ? offsets - 1 : results; }

// The last of `count` segments, or of those before it, that begins at k or before; -1 if none does. One warp of a group looks at few
// places at once: what all groups look at would take longer than what they do else.
template <class Group, class Offset>
COGRAPH_HD index_t find_segment([[maybe_unused]] Group const& group, const Offset* begins, index_t count, index_t k) {
    index_t low = -1;  // the answer is low, or one of the `count` after it
#ifdef __CUDA_ARCH__
    __shared__ index_t found[1024 / chunk_layout::threads];
    constexpr int looks = 2;
    if (group.rank() < warp_lanes) {
        while (count > 0) {
            const index_t step = count / (looks * warp_lanes + 1) + 1;
            index_t steps = 0;
#pragma unroll
            for (int look = 0; look < looks; ++look) {
                const index_t at = (look * warp_lanes + group.rank() + 1) * step;
                steps += __popc(__ballot_sync(~0u, at <= count && static_cast<index_t>(begins[low + (at <= count ? at : count)]) <= k));
            }
            low += steps * step;
            count = count - steps * step < step - 1 ? count - steps * step : step - 1;
        }
        if (group.rank() == 0) found[threadIdx.x / chunk_layout::threads] = low;
    }
    group.sync();
    low = found[threadIdx.x / chunk_layout::threads];
#else
    while (count > 0) {
        const index_t half = (count + 1) / 2;
        if (static_cast<index_t>(begins[low + half]) <= k) {
            low += half;
            count -= half;
        } else {
            count = half - 1;
        }
    }
#endif
    return low;
}

// The terms of a tile, which lanes take in a row: of which segment each is, counted from one that all lanes know, and which are the last
// of theirs.
constexpr int terms_of_lane = 8, terms_of_tile = chunk_layout::least_elements;
static_assert(terms_of_lane * chunk_layout::threads == terms_of_tile);
struct numbered_terms {
    unsigned segment[terms_of_lane];
    unsigned at_end;  // a bit for each
};

// The terms from number `tile` on. Those from `first` to last - 1 belong to segments; the last segment ends at `end`.
template <class Offset>
struct terms_in_tile {
    segment_list<Offset> segments;
    index_t tile, first, last, end;

    // Which terms of a lane those are, as bits.
    COGRAPH_HD unsigned terms_of(int lane) const {
        const int begin = lane * terms_of_lane;
        const int left_out = static_cast<int>(first - tile) - begin, count = static_cast<int>(last - tile) - begin;
        const unsigned upto = count >= terms_of_lane ? (1u << terms_of_lane) - 1 : count > 0 ? (1u << count) - 1 : 0;
        return left_out >= terms_of_lane ? 0 : left_out > 0 ? upto >> left_out << left_out : upto;
    }

    // On the host one thread goes over the segments, from `at` on.
    COGRAPH_HD numbered_terms number(int lane, index_t near, index_t& at) const {
        numbered_terms found{{}, 0};
        const index_t begin = tile + lane * terms_of_lane;
        for (int j = 0; j < terms_of_lane; ++j) {
            if (!(terms_of(lane) >> j & 1)) continue;
            while (segments.end(at) <= begin + j) ++at;
            found.segment[j] = static_cast<unsigned>(at - near);
            if (segments.end(at) == begin + j + 1) found.at_end |= 1u << j;
        }
        return found;
    }

#ifdef __CUDACC__
    __device__ static int highest(unsigned bits) { return 31 - __clz(static_cast<int>(bits)); }

    // On a device, segments mark their first terms, in windows of as many as a mark can tell. Between marks, the last one holds:
    // of the lane, of the warp, of the warps before it. of_all: of the last term.
    template <class Group>
    __device__ numbered_terms number(Group const& group, index_t near, unsigned& of_all) const {
        static_assert(sizeof(uint4) == terms_of_lane * sizeof(unsigned short));
        constexpr int window = 65535, groups = 1024 / chunk_layout::threads, warps = chunk_layout::threads / warp_lanes;
        struct alignas(16) marks {
            unsigned short of_term[terms_of_tile + terms_of_lane];  // one more than terms, since a segment may begin after the last
            unsigned of_warp[warps];
        };
        __shared__ marks rooms[groups];
        marks& room = rooms[threadIdx.x / chunk_layout::threads];
        const int own = group.rank(), lane = own % warp_lanes, warp = own / warp_lanes;
        uint4* const of_lane = reinterpret_cast<uint4*>(room.of_term) + own;
        numbered_terms found{{}, 0};
        bool next_begins = false, goes_on = true;
        for (index_t from = near + 1; goes_on; from += window) {
            *of_lane = uint4{0, 0, 0, 0};
            if (own == 0) room.of_term[terms_of_tile] = 0;
            group.sync();
            // Two at once, so that their loads overlap.
            const index_t stop = from + window < segments.count ? from + window : segments.count;
            const auto mark = [&](index_t s, index_t begin, index_t next) {
                if (begin <= last && (next > begin || begin == last)) room.of_term[begin - tile] = static_cast<unsigned short>(begin == last ? window : s - from + 1);
            };
            for (index_t s = from + own; s < stop; s += 2 * chunk_layout::threads) {
                const index_t other = s + chunk_layout::threads < stop ? s + chunk_layout::threads : s;
                const index_t begin = segments.begin(s), next = segments.begin(s + 1), other_begin = segments.begin(other), other_next = segments.begin(other + 1);
                mark(s, begin, next);
                mark(other, other_begin, other_next);
                if (other_begin > last) break;
            }
            goes_on = from + window < segments.count && segments.begin(from + window) <= last;
            group.sync();
            const uint4 all = *of_lane;
            const unsigned pairs[] = {all.x, all.y, all.z, all.w};
            const unsigned behind_near = static_cast<unsigned>(from - near - 1);
#pragma unroll
            for (int j = 0; j < terms_of_lane; ++j)
                if (const unsigned here = pairs[j / 2] >> j % 2 * 16 & 0xffff) found.segment[j] = here + behind_near;
            next_begins |= room.of_term[(own + 1) * terms_of_lane] != 0;
            if (goes_on) group.sync();
        }
        const unsigned has = terms_of(own);
        const int left = last == end ? static_cast<int>(end - tile) - own * terms_of_lane : 0;  // the last term of all may be of this lane
        if (left > 0 && left <= terms_of_lane) found.at_end = 1u << (left - 1);
#pragma unroll
        for (int j = 0; j < terms_of_lane; ++j)
            if (j + 1 < terms_of_lane ? found.segment[j + 1] != 0 : next_begins) found.at_end |= 1u << j;
        found.at_end &= has;
#pragma unroll
        for (int j = 0; j < terms_of_lane; ++j)
            if (!(has >> j & 1)) found.segment[j] = 0;
#pragma unroll
        for (int j = 1; j < terms_of_lane; ++j)
            if (found.segment[j] == 0) found.segment[j] = found.segment[j - 1];

        const unsigned last_mark = found.segment[terms_of_lane - 1];
        const unsigned marked = __ballot_sync(~0u, last_mark != 0), below = marked & ((1u << lane) - 1);
        unsigned before = __shfl_sync(~0u, last_mark, below ? highest(below) : 0);
        if (lane == (marked ? highest(marked) : 0)) room.of_warp[warp] = last_mark;
        group.sync();
        const unsigned of_warps = lane < warps ? room.of_warp[lane] : 0;
        const unsigned marked_warps = __ballot_sync(~0u, of_warps != 0), warps_below = marked_warps & ((1u << warp) - 1);
        const unsigned before_warp = __shfl_sync(~0u, of_warps, warps_below ? highest(warps_below) : 0);
        of_all = __shfl_sync(~0u, of_warps, marked_warps ? highest(marked_warps) : 0);
        if (!below) before = warps_below ? before_warp : 0;
#pragma unroll
        for (int j = 0; j < terms_of_lane; ++j)
            if (found.segment[j] == 0) found.segment[j] = before;
        return found;
    }
#endif
};

}  // namespace cograph::core
