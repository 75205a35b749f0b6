// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/order.hpp>
#include <cograph/expr/refused/scan/segmented_reduce.hpp>
#include <cograph/expr/scan/segment_terms.hpp>

namespace cograph::core {

// Reductions of segments: chunks have equally many terms, however long segments are. Each joins its terms by segment; those of a segment
// that lies in several chunks are joined afterwards.
struct segment_parts {
    static constexpr lazy_name name{"segmented_reduce, parts of chunks"};
    static constexpr bool equal_extents = false;
};
struct segments_from_parts : for_each_stage {
    static constexpr lazy_name name{"segmented_reduce"};
};

// What a lane makes of its terms: whole segments are put, and the rest is kept until it is known what is before it.
template <class T>
struct lane_of_segments {
    T head, open;     // the join of the terms up to the first segment's end, and after the last one's
    index_t segment;  // that first segment, if one ends
    bool ends;

    template <class Offset, class F, class Op>
    COGRAPH_HD void join(terms_in_tile<Offset> const& tile, int lane, index_t near, numbered_terms const& numbers, F const& term, Op const& op, T const& identity, T* sums) {
        const index_t first = tile.tile + lane * terms_of_lane;
        const unsigned has = tile.terms_of(lane);
        T terms[terms_of_lane] = {identity, identity, identity, identity, identity, identity, identity, identity};
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
        for (int j = 0; j < terms_of_lane; ++j)
            if (has >> j & 1) terms[j] = term(near + numbers.segment[j], first + j);
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
template <class Group, class Offset, class F, class Op, class T, class Put>
__device__ void join_tile_on_device(Group const& group, terms_in_tile<Offset> const& tile, index_t& near, F const& term, Op const& op, T const& identity, T* sums, T& open, bool& ended, Put const& put) {
    constexpr int warps = chunk_layout::threads / warp_lanes, groups = 1024 / chunk_layout::threads;
    __shared__ alignas(T) unsigned char rooms[groups][warps * sizeof(T)];
    __shared__ bool ended_rooms[groups][warps];
    T* const of_warp = reinterpret_cast<T*>(rooms[threadIdx.x / chunk_layout::threads]);
    bool* const ended_of_warp = ended_rooms[threadIdx.x / chunk_layout::threads];
    const int own = group.rank(), lane = own % warp_lanes, warp = own / warp_lanes;
    const auto from_below = [](T value, int offset) { return shuffle_words(value, [&](unsigned word) { return __shfl_up_sync(~0u, word, offset); }); };
    const auto from_lane = [](T value, int of) { return shuffle_words(value, [&](unsigned word) { return __shfl_sync(~0u, word, of); }); };
    const auto highest = [](unsigned bits) { return bits ? 31 - __clz(static_cast<int>(bits)) : 0; };

    unsigned of_all = 0;
    lane_of_segments<T> mine;
    mine.join(tile, own, near, tile.number(group, near, of_all), term, op, identity, sums);
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
template <class Group, class Offset, class F, class Op, class T, class Put>
COGRAPH_HD void join_tile([[maybe_unused]] Group const& group, terms_in_tile<Offset> const& tile, index_t& near, F const& term, Op const& op, T const& identity, T* sums, T& open, bool& ended, Put const& put) {
#ifdef __CUDA_ARCH__
    join_tile_on_device(group, tile, near, term, op, identity, sums, open, ended, put);
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

template <class F, class Join, class T>
struct join_parts_of_segments : Join, operand<2, F> {
    template <class Group, class Offset, class... A>
    COGRAPH_HD void operator()(Group const& group, index_t chunk, index_t count, index_t first, index_t all, const Offset* begins, index_t offsets, index_t results,
                               T* sums, T* heads, T* tails, A const&... arguments) const {
        const auto op = this->op();
        const T none = this->template identity<T>();
        const auto f = operand<2, F>::get();
        const auto term = [&](index_t segment, index_t k) -> T { return f(segment, k, arguments...); };
        const segment_list<Offset> segments{begins, segments_of(offsets, results), all};
        T open = none;
        bool ended = false;
        if (segments.count > 0) {
            const index_t end_of_all = segments.end(segments.count - 1);
            index_t of_first = first, behind = first + count;
            index_t near = find_segment(group, begins, segments.count, first);
            if (near < 0) {
                of_first = segments.begin(0);
                group.sync();  // all have seen what was found
                near = find_segment(group, begins, segments.count, of_first);
            }
            if (behind > end_of_all) behind = end_of_all;
            const index_t first_segment = near, its_begin = of_first < behind ? segments.begin(near) : first;
            for (index_t tile = first; of_first < behind && tile < behind; tile += terms_of_tile) {
                const index_t begin = tile < of_first ? of_first : tile, end = tile + terms_of_tile < behind ? tile + terms_of_tile : behind;
                const auto put = [&](index_t segment, T const& value, bool is_first) {
                    if (is_first && segment == first_segment && its_begin < first)  // terms of it are in chunks before this one
                        heads[chunk] = value;
                    else
                        sums[segment] = value;
                };
                join_tile(group, terms_in_tile<Offset>{segments, tile, begin, end, end_of_all}, near, term, op, none, sums, open, ended, put);
            }
        }
        if (group.rank() == 0) tails[chunk] = open;
    }
};

template <class Join, class T>
struct join_segment_parts : Join {
    template <class Offset>
    COGRAPH_HD void operator()(index_t segment, index_t all, const Offset* begins, index_t offsets, index_t results, const T& sum, const T* heads, const T* tails, T& to) const {
        const segment_list<Offset> segments{begins, segments_of(offsets, results), all};
        if (segment >= segments.count || segments.begin(segment) >= segments.end(segment)) {
            to = this->template identity<T>();
            return;
        }
        const chunk_layout layout(all);
        index_t chunk = layout.chunk_of(segments.begin(segment));
        const index_t last = layout.chunk_of(segments.end(segment) - 1);
        if (chunk == last) {
            to = sum;
            return;
        }
        const auto op = this->op();
        T value = tails[chunk];
        for (++chunk; chunk < last; ++chunk) value = op(value, tails[chunk]);
        to = op(value, heads[last]);
    }
};

// The join of each segment whose end is in its own chunk.
template <class V, class Y>
struct sums_of_segments : temp<sums_of_segments<V, Y>, typename Y::element, Y> {};
template <class V, class Y>
inline constexpr variable_info info_of<sums_of_segments<V, Y>>{{"sums of segments"}, variable_kind::temp, sizeof(typename Y::element), alignof(typename Y::element),
                                                               std::is_signed_v<typename Y::element>, &info_of<typename Y::tag>, type_hash<sums_of_segments<V, Y>>(),
                                                               type_name<typename Y::element>(), nullptr};

template <class Shape, class F, class Op, class Identity>
struct segmented_reduce_builder;
template <class V, class F, class Op, class Identity>
struct segmented_reduce_builder<over_t<V>, F, Op, Identity> {
    record where;
    F function;
    Op op;
    Identity identity;

    template <class Y, class X, class... A>
        requires is_fine<decltype(diagnose_segmented_reduce<over_t<V>, F, Op, Identity>(list<out_t<Y>, in_t<X>, as_argument_t<A>...>{}))>
    constexpr auto operator()(out_t<Y>, in_t<X> begins, A... arguments) const {
        using T = typename Y::element;
        using Join = joins_from<Op, Identity>;
        using domain = typename over_t<V>::domain;
        using sums = sums_of_segments<V, Y>;
        using heads = of_chunks<segment_parts, V, Y, T>;
        using tails = of_chunks<segments_from_parts, V, Y, T>;
        using parts = join_parts_of_segments<F, Join, T>;
        using whole = join_segment_parts<Join, T>;
        const Join join{as_operand<0>(op), as_operand<1>(identity)};
        const parts of_chunks{join, as_operand<2>(function)};
        const whole of_segments{join};
        return seq(make_stage<chunk_stage<segment_parts>, parts, domain>(
                       list<domain, given<parts>, domain, in_t<X>, extent_t<X>, extent_t<Y>, out_t<sums>, out_t<heads>, out_t<tails>, as_argument_t<A>...>{}, where, 0,
                       of_chunks, 0, begins, 0, 0, 0, 0, 0, arguments...),
                   make_stage<segments_from_parts, whole, extent_t<Y>>(
                       list<extent_t<Y>, given<whole>, domain, in_t<X>, extent_t<X>, extent_t<Y>, each_of<in_t<sums>>, in_t<heads>, in_t<tails>, each_of<out_t<Y>>>{}, where, 0,
                       of_segments, 0, begins, 0, 0, 0, 0, 0, 0));
    }

    // What it refuses.
    template <class... A>
    auto operator()(A const&...) const
        -> decltype(mistake_of<struct segmented_reduce_node, V, F, Op, Identity, A...>(diagnose_segmented_reduce<over_t<V>, F, Op, Identity>(list<as_argument_t<A>...>{})));
};

// y[s] = op over f(s, k, arguments...) for k from offsets[s] to offsets[s + 1] - 1: segmented_reduce(over(values), f, plus{})(out(y), in(offsets),
// arguments...). Offsets ascend; terms are elements of the shape, and those beyond it count for nothing. op is associative. The order of
// its calls follows from offsets and extents. Work is dealt by terms, so segments may be of any lengths.
template <class V, class F, class Op, class T = take_identity>
    requires is_fine<decltype(diagnose_segments_shape<over_t<V>, F>())>
constexpr segmented_reduce_builder<over_t<V>, F, Op, T> segmented_reduce(over_t<V> shape, F f, Op op, T identity = {}, const char* file = __builtin_FILE(),
                                                                         unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, shape.values}, f, op, identity};
}

}  // namespace cograph::core
