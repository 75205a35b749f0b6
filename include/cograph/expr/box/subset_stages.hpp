// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_stages.hpp>

namespace cograph::core {

// Stages over a part of the elements of their domain: thread k has the element that the subset gives for k, so no thread is idle. The
// function object gets the element's own indices.

// Elements Offset, Offset + Stride, and so on.
template <int Stride, int Offset>
struct every_nth {
    static constexpr int stride = Stride;
    COGRAPH_HD static constexpr index_t count(index_t n) { return n > Offset ? (n - Offset + Stride - 1) / Stride : 0; }
    template <class... P>
    COGRAPH_HD static constexpr index_t element(index_t k, P const&...) {
        return k * Stride + Offset;
    }
};
// Elements of a box whose indices add up to an even number (0), or an odd one (1). Elements 2 k and 2 k + 1 have different colours.
template <int Rank, int Colour, int FirstSide>
struct checkerboard_colour {
    static constexpr int stride = 2;
    COGRAPH_HD static constexpr index_t count(index_t n) { return (n + 1) / 2; }
    template <class... P>
    COGRAPH_HD static constexpr index_t element(index_t k, P const&... p) {
        index_t sides[Rank] = {};
        find_sides<1>(sides, p...);
        const index_t first = 2 * k;
        return first + (indices_of_both(first, sides) + Colour) % 2;
    }

private:
    // The sum of the indices that elements 2 k and 2 k + 1 share, if a side is even.
    COGRAPH_HD static constexpr index_t indices_of_both(index_t first, const index_t* sides) {
        if (sides[Rank - 1] % 2 == 0) {
            const index_t row = divide(first, sides[Rank - 1]).quotient;
            if constexpr (Rank == 2) {
                return row;
            } else {
                const quotient_and_rest plane = divide(row, sides[1]);
                return plane.quotient + plane.rest;
            }
        }
        if constexpr (Rank == 3)
            if (sides[1] % 2 == 0) return divide(first, sides[1] * sides[2]).quotient;
        return 0;
    }
    template <int Number, class First, class... P>
    COGRAPH_HD static constexpr void find_sides(index_t* to, First const& first, P const&... more) {
        if constexpr (Number >= FirstSide) to[Number - FirstSide] = static_cast<index_t>(unwrap(first));
        if constexpr (Number + 1 < FirstSide + Rank) find_sides<Number + 1>(to, more...);
    }
};

constexpr node_traits over_subset(node_traits traits, launch_extent (*size)(const launch_request&), int stride) {
    traits.size = size;
    traits.every = stride;
    traits.writes_partly = true;
    return traits;
}
template <int Stride>
constexpr launch_extent size_over_every(const launch_request& asked) {
    launch_request fewer = asked;
    fewer.elements = (asked.elements + Stride - 1) / Stride;
    return size_over_elements(fewer);
}
template <int Stride>
constexpr launch_extent size_over_chunks_of_every(const launch_request& asked) {
    launch_request fewer = asked;
    fewer.elements = (asked.elements + Stride - 1) / Stride;
    return size_over_chunks(fewer);
}

template <class Stage, class Subset>
struct subset_stage : Stage {
    using threads = a_thread_an_element;
    static constexpr node_traits traits = over_subset(Stage::traits, &size_over_every<Subset::stride>, Subset::stride);
    COGRAPH_HD static constexpr index_t elements_of_subset(index_t n) { return Subset::count(n); }

    template <class N, class... P>
    COGRAPH_HD static void at(index_t k, N const& n, P const&... p) {
        const index_t i = Subset::element(k, p...);
        if (i < static_cast<index_t>(n)) Stage::at(i, n, p...);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class... P>
    COGRAPH_HD static void run(Context const& context, N n, P const&... p) {
        const index_t count = Subset::count(static_cast<index_t>(n));
        if constexpr (requires { context.numbers(); })  // a check asks which elements these are
            if (auto* const numbers = context.numbers()) return numbers->note(count, static_cast<index_t>(n), [&](index_t k) { return Subset::element(k, p...); });
        context.each(count, [&](index_t k) { at(k, n, p...); });
    }
};
template <class Stage, class Subset>
struct subset_reduce_stage : Stage {
    static constexpr node_traits traits = over_subset(Stage::traits, &size_over_chunks_of_every<Subset::stride>, Subset::stride);
    template <class...>
    static constexpr bool is_in_box_order = false;
    COGRAPH_HD static constexpr index_t elements_of_subset(index_t n) { return Subset::count(n); }

    template <class N, class F, class Op, class T, class... P>
    COGRAPH_HD static T term(index_t k, N const& n, F const& f, Op const& op, T const& identity, void* scratch, reference<T> const& out, P const&... p) {
        const index_t i = Subset::element(k, f, op, identity, scratch, out, p...);
        if (i >= static_cast<index_t>(n)) return identity;
        return static_cast<T>(Stage::term(i, n, f, op, identity, scratch, out, p...));
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class F, class Op, class T, class... P>
    COGRAPH_HD static void run(Context const& context, N n, F const& f, Op const& op, T const& identity, void* scratch, reference<T> out, P const&... p) {
        const auto of_element = [&](index_t k) -> T { return term(k, n, f, op, identity, scratch, out, p...); };
        const index_t count = Subset::count(static_cast<index_t>(n));
        if constexpr (requires { context.numbers(); })
            if (auto* const numbers = context.numbers()) return numbers->note(count, static_cast<index_t>(n), [&](index_t k) { return Subset::element(k, f, op, identity, scratch, out, p...); });
        if constexpr (requires { for_a_part(context); })
            for_a_part(context).reduce(count, identity, unwrap(op), of_element, scratch, out.at);
        else
            context.reduce(count, identity, unwrap(op), of_element, scratch, out.at);
    }
};

}  // namespace cograph::core
