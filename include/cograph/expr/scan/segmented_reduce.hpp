// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/order.hpp>
#include <cograph/expr/refused/scan/segmented_reduce.hpp>
#include <cograph/expr/scan/chunks.hpp>

namespace cograph::core {

// Reductions of segments: chunks have equally many terms, however long segments are. Each combines its terms by
// segment; those of a segment in several chunks are combined afterwards.
struct segment_parts {
    static constexpr lazy_name name{"segmented_reduce, parts of chunks"};
    static constexpr bool equal_extents = false;
};
struct segments_from_parts : for_each_stage {
    static constexpr lazy_name name{"segmented_reduce"};
};

// The last of `count` segments, or of those before it, that begins at k or before; -1 if none does. The same for two
// k. All threads of a group search together.
struct two_segments {
    index_t first, second;
};
struct sum_of_two {
    COGRAPH_HD constexpr two_segments operator()(two_segments a, two_segments b) const { return {a.first + b.first, a.second + b.second}; }
};
template <class Group, class Offset>
COGRAPH_HD two_segments find_segments(Group const& group, const Offset* begins, index_t count, index_t k, index_t l) {
    constexpr index_t probes = 4 * chunk_layout::threads;
    two_segments low{-1, -1}, left{count, count};  // the answer is low, or one of the following
    while (left.first > 0 || left.second > 0) {
        const two_segments step{left.first / (probes + 1) + 1, left.second / (probes + 1) + 1};
        const two_segments below = group.transform_reduce(probes, [&](index_t probe) {
            const index_t first = (probe + 1) * step.first, second = (probe + 1) * step.second;
            return two_segments{first <= left.first && static_cast<index_t>(begins[low.first + first]) <= k,
                                second <= left.second && static_cast<index_t>(begins[low.second + second]) <= l};
        }, sum_of_two{}, two_segments{0, 0});
        const auto narrow = [](index_t& from, index_t& rest, index_t width, index_t steps) {
            from += steps * width;
            rest = rest - steps * width < width - 1 ? rest - steps * width : width - 1;
        };
        narrow(low.first, left.first, step.first, below.first);
        narrow(low.second, left.second, step.second, below.second);
    }
    return low;
}
// The same for one k by one thread, from a segment on that begins at k or before, up to `last`; near ones are found first.
template <class Offset>
COGRAPH_HD index_t find_segment(const Offset* begins, index_t from, index_t last, index_t k) {
    index_t width = 1;
    while (from + width <= last && static_cast<index_t>(begins[from + width]) <= k) {
        from += width;
        width *= 2;
    }
    for (width /= 2; width > 0; width /= 2)
        if (from + width <= last && static_cast<index_t>(begins[from + width]) <= k) from += width;
    return from;
}

// The combined terms since a segment's begin, and whether one ended before.
template <class T>
struct open_part {
    T value;
    choose<alignof(T) < 8, int, index_t> ended;  // without a gap at its end: lanes give it to each other
};
template <class Op>
struct behind_ends {
    Op op;
    template <class T>
    COGRAPH_HD constexpr open_part<T> operator()(open_part<T> const& a, open_part<T> const& b) const {
        const T joined = op(a.value, b.value);
        return {b.ended ? b.value : joined, a.ended | b.ended};
    }
};

// The segments that a node combines: their begins, and how many of `all` terms they have.
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

// A lane's terms, of a tile of a chunk: whole segments are written, and the rest is kept until the terms before it
// are known.
constexpr int terms_of_lane = 8;
static_assert(terms_of_lane * chunk_layout::threads == chunk_layout::least_elements);
template <class T>
struct lane_of_segments {
    T head;              // the join of the terms of the first segment that ends here
    index_t segment;     // its number
    bool ends;           // there is one

    // Terms first to last - 1, of the segments from `near` to `far`.
    template <class Offset, class F, class Op>
    COGRAPH_HD open_part<T> join(segment_list<Offset> const& segments, index_t first, index_t last, two_segments near, F const& term, Op const& op, T const& identity, T* sums) {
        T open = identity;
        ends = false;
        if (first < last) {
            index_t here = find_segment(segments.begins, near.first, near.second, first), end = segments.end(here);
            const index_t at_first = here;
            unsigned of[terms_of_lane];  // counted from there
            unsigned at_end = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
            for (int j = 0; j < terms_of_lane; ++j) {
                const index_t k = first + j;
                of[j] = static_cast<unsigned>(here - at_first);
                if (k + 1 != end || k >= last) continue;
                at_end |= 1u << j;
                if (k + 1 == last) continue;
                here = find_segment(segments.begins, here, near.second, k + 1);
                end = segments.end(here);
            }
            T terms[terms_of_lane] = {identity, identity, identity, identity, identity, identity, identity, identity};
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
            for (int j = 0; j < terms_of_lane; ++j)
                if (first + j < last) terms[j] = term(at_first + of[j], first + j);
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
            for (int j = 0; j < terms_of_lane; ++j) {
                open = op(open, terms[j]);
                if (!(at_end >> j & 1)) continue;
                if (ends) {
                    sums[at_first + of[j]] = open;
                } else {
                    head = open;
                    segment = at_first + of[j];
                    ends = true;
                }
                open = identity;
            }
        }
        return {open, ends};
    }
};
// One for each lane: on a device a thread is one of them, on the host it is all.
template <class Lane>
class lanes_of_group {
#ifdef __CUDA_ARCH__
    Lane own_;

public:
    COGRAPH_HD explicit lanes_of_group(Lane const& own) : own_(own) {}
    COGRAPH_HD Lane& operator[](int) { return own_; }
#else
    lane_values<chunk_layout::threads, Lane> all_;

public:
    COGRAPH_HD explicit lanes_of_group(Lane const& own) : all_(own) {}
    COGRAPH_HD Lane& operator[](int lane) { return all_[lane]; }
#endif
};

template <class F, class Join, class T>
struct join_parts_of_segments : Join, operand<2, F> {
    template <class Group, class Offset, class... A>
    COGRAPH_HD void operator()(Group const& group, index_t chunk, index_t count, index_t first, index_t all, const Offset* begins, index_t offsets, index_t results,
                               T* sums, T* heads, T* tails, A const&... arguments) const {
        const auto op = this->op();
        const T identity = this->template identity<T>();
        const behind_ends<decltype(this->op())> join{op};
        const auto f = operand<2, F>::get();
        const auto term = [&](index_t segment, index_t k) -> T { return f(segment, k, arguments...); };
        const segment_list<Offset> segments{begins, segments_of(offsets, results), all};
        open_part<T> before{identity, 0};
        const index_t last = first + count;
        index_t of_first = segments.count > 0 ? segments.begin(0) : all, behind = segments.count > 0 ? segments.end(segments.count - 1) : all;
        if (of_first < first) of_first = first;
        if (behind > last) behind = last;
        if (of_first < behind) {
            const two_segments near = find_segments(group, begins, segments.count, of_first, behind - 1);
            lanes_of_group<lane_of_segments<T>> lanes({identity, 0, false});
            for (index_t tile = first; tile < behind; tile += chunk_layout::least_elements) {
                const auto open = [&](int lane) {
                    const index_t begin = tile + lane * terms_of_lane, end = begin + terms_of_lane;
                    return lanes[lane].join(segments, begin < of_first ? of_first : begin, end < behind ? end : behind, near, term, op, identity, sums);
                };
                const auto finish = [&](int lane, open_part<T> const& left) {
                    const lane_of_segments<T>& own = lanes[lane];
                    if (!own.ends) return;
                    const open_part<T> all_before = join(before, left);
                    const T value = op(all_before.value, own.head);
                    if (all_before.ended || segments.begin(own.segment) >= first)
                        sums[own.segment] = value;
                    else
                        heads[chunk] = value;
                };
                before = join(before, group.exclusive_scan(static_cast<int>(chunk_layout::threads), open, join, finish, open_part<T>{identity, 0}));
            }
        }
        if (group.rank() == 0) tails[chunk] = before.value;
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

    // Refused calls.
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
