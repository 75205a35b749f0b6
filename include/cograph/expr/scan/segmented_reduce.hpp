// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/order.hpp>
#include <cograph/expr/refused/scan/segmented_reduce.hpp>
#include <cograph/expr/scan/join_segments.hpp>
#include <cograph/expr/scan/ordered_chunks.hpp>
#include <cograph/expr/scan/segment_terms.hpp>

#include <cstdint>

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

// The stage of the parts, which may keep what it finds: `kept` lives as long as a loop that does not write the offsets.
struct segment_parts_stage : chunk_stage<segment_parts> {
    static constexpr node_traits traits = chunk_stage<segment_parts>::traits.that_looks_up(3);

    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class F, class... P>
    COGRAPH_HD static void run_keeping(Context const& context, kept_numbers& kept, N n, F const& f, P const&... p) {
        const group_type group;
        const chunk_layout layout(static_cast<index_t>(n));
        const auto join_all = [&](auto const& numbers) {
            run_groups(context, group, threads::groups_for(static_cast<index_t>(n)), [&](index_t c) {
                const chunk_of_elements chunk(layout, c, static_cast<index_t>(n));
                unwrap(f).join(numbers, group, c, chunk.count, chunk.first, at_element(p, 0)...);
            });
        };
        kept.begin_pass();
        if (kept.known)
            join_all(known_numbers(kept));
        else
            join_all(numbers_to_keep(kept));
        kept.end_pass();
    }
};

// A term, from arguments as they are or, if all are, known to be aligned.
template <class A>
COGRAPH_HD bool is_aligned(A const&) {
    return true;
}
template <class A>
COGRAPH_HD bool is_aligned(A* of) {
    return reinterpret_cast<std::uintptr_t>(of) % 16 == 0;
}
template <class A>
COGRAPH_HD A const& as_aligned(A const& of) {
    return of;
}
template <class A>
COGRAPH_HD A* as_aligned(A* of) {
    return static_cast<A*>(__builtin_assume_aligned(of, 16));
}
template <class Of, class OfAligned>
struct term_of_segments {
    Of of;
    OfAligned of_aligned;
    bool is_aligned;
};

template <class F, class Join, class T>
struct join_parts_of_segments : Join, operand<2, F> {
    template <class Group, class Offset, class... A>
    COGRAPH_HD void operator()(Group const& group, index_t chunk, index_t count, index_t first, index_t all, const Offset* begins, index_t offsets, index_t results,
                               T* sums, T* heads, T* tails, A const&... arguments) const {
        join(found_numbers{}, group, chunk, count, first, all, begins, offsets, results, sums, heads, tails, arguments...);
    }
    template <class Numbers, class Group, class Offset, class... A>
    COGRAPH_HD void join(Numbers numbers, Group const& group, index_t chunk, index_t count, index_t first, index_t all, const Offset* begins, index_t offsets, index_t results,
                         T* sums, T* heads, T* tails, A const&... arguments) const {
        const auto op = this->op();
        const T none = this->template identity<T>();
        const auto f = operand<2, F>::get();
        const auto of = [&](index_t segment, index_t k) -> T { return f(segment, k, arguments...); };
        const auto of_aligned = [&](index_t segment, index_t k) -> T { return f(segment, k, as_aligned(arguments)...); };
        const term_of_segments<decltype(of), decltype(of_aligned)> term{of, of_aligned, (... && is_aligned(arguments))};
        const segment_list<Offset> segments{begins, segments_of(offsets, results), all};
        T open = none;
        bool ended = false;
        if (segments.count > 0 && count > 0) {
            index_t of_first = first, behind = first + count, end_of_all = all, near = 0;
            if constexpr (Numbers::are_known) {
                near = numbers.near();
                numbers.crosses = numbers.first_crosses();
            } else {
                end_of_all = segments.end(segments.count - 1);
                near = find_segment(group, begins, segments.count, first);
                if (near < 0) {
                    of_first = segments.begin(0);
                    group.sync();  // all have seen the result
                    near = find_segment(group, begins, segments.count, of_first);
                }
                // Also of a chunk without a tile: who knows numbers goes over all terms of a chunk.
                if constexpr (requires { numbers.kept; }) numbers.kept.fails |= of_first != first || behind > end_of_all;
                if (behind > end_of_all) behind = end_of_all;
                numbers.crosses = of_first < behind && segments.begin(near) < first;
                if (of_first >= behind) group.sync();  // all have seen the result, without a tile between it and the next search
            }
            const index_t first_segment = near;
            for (index_t tile = first; of_first < behind && tile < behind; tile += terms_of_tile) {
                const index_t begin = tile < of_first ? of_first : tile, end = tile + terms_of_tile < behind ? tile + terms_of_tile : behind;
                if constexpr (Numbers::are_known) near = numbers.near();
                const auto put = [&](index_t segment, T const& value, bool is_first) {
                    if (is_first && segment == first_segment && numbers.crosses)
                        heads[chunk] = value;
                    else
                        sums[segment] = value;
                };
                join_tile(numbers, group, terms_in_tile<Offset>{segments, tile, begin, end, end_of_all}, near, term, op, none, sums, open, ended, put);
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
        return seq(make_stage<segment_parts_stage, parts, domain>(
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
