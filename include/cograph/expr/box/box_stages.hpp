// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_order.hpp>
#include <cograph/expr/box/near.hpp>
#include <cograph/expr/node/stage.hpp>

#include <cstdint>
#include <utility>

namespace cograph::core {

// Nodes over boxes: for boxes of more than one dimension, the parameters after those of other stages begin with the
// sides.

// A quotient in 32 bits if that is enough: in 64 bits it takes a GPU many times as long.
struct quotient_and_rest {
    index_t quotient, rest;
};
COGRAPH_HD constexpr quotient_and_rest divide(index_t number, index_t by) {
    if ((static_cast<std::uint64_t>(number | by) >> 32) == 0) {
        const std::uint32_t n = static_cast<std::uint32_t>(number), d = static_cast<std::uint32_t>(by);
        return {static_cast<index_t>(n / d), static_cast<index_t>(n % d)};
    }
    return {number / by, number % by};
}

// The position of element i in a box of planes, rows and columns.
template <int Rank>
COGRAPH_HD constexpr box_place<Rank> place_of(index_t i, index_t a, index_t b = 1, index_t c = 1) {
    if constexpr (Rank == 1) {
        return {i, {i}, {a}};
    } else if constexpr (Rank == 2) {
        const quotient_and_rest at = divide(i, b);
        return {i, {at.quotient, at.rest}, {a, b}};
    } else {
        const quotient_and_rest row = divide(i, c), plane = divide(row.quotient, b);
        return {i, {plane.quotient, plane.rest, row.rest}, {a, b, c}};
    }
}
// In a tile of a persistent kernel it is known.
template <int Rank, class... Side>
COGRAPH_HD constexpr box_place<Rank> place_in_box(index_t i, Side const&... sides) {
    return place_of<Rank>(i, static_cast<index_t>(unwrap(sides))...);
}
template <int Rank, class... Side>
COGRAPH_HD constexpr box_place<Rank> const& place_in_box(box_place<Rank> const& known, Side const&...) {
    return known;
}

// A parameter as a function object gets it.
template <class P, int Rank>
COGRAPH_HD constexpr decltype(auto) arrive(P const& p, box_place<Rank> const& place) {
    return at_element(p, place.number);
}
template <class T, int... Radius>
COGRAPH_HD constexpr neighbours<std::remove_const_t<T>, Radius...> arrive(near_pointer<T, Radius...> p, box_place<sizeof...(Radius)> const& place) {
    constexpr int rank = sizeof...(Radius);
    if constexpr (rank == 3)
        return {p.at + place.number, place, place.sides[1] * place.sides[2], place.sides[2]};
    else
        return {p.at + place.number, place, place.sides[rank - 1]};
}

// Calls F with the indices of an element of a box, and the parameters after the sides.
template <int Rank>
struct call_in_box;
template <>
struct call_in_box<1> {
    template <class F, class I, class N, class... P>
    COGRAPH_HD static decltype(auto) call(F const& f, I const& i, N const& n, P const&... p) {
        return at(f, place_in_box<1>(i, n), p...);
    }
    template <class F, class Place, class... P>
    COGRAPH_HD static decltype(auto) at(F const& f, Place const& place, P const&... p) {
        return f(place.at[0], arrive(p, place)...);
    }
};
template <>
struct call_in_box<2> {
    template <class F, class I, class N, class A, class B, class... P>
    COGRAPH_HD static decltype(auto) call(F const& f, I const& i, N const&, A const& rows, B const& columns, P const&... p) {
        return at(f, place_in_box<2>(i, rows, columns), p...);
    }
    template <class F, class Place, class... P>
    COGRAPH_HD static decltype(auto) at(F const& f, Place const& place, P const&... p) {
        return f(place.at[0], place.at[1], arrive(p, place)...);
    }
};
template <>
struct call_in_box<3> {
    template <class F, class I, class N, class A, class B, class C, class... P>
    COGRAPH_HD static decltype(auto) call(F const& f, I const& i, N const&, A const& planes, B const& rows, C const& columns, P const&... p) {
        return at(f, place_in_box<3>(i, planes, rows, columns), p...);
    }
    template <class F, class Place, class... P>
    COGRAPH_HD static decltype(auto) at(F const& f, Place const& place, P const&... p) {
        return f(place.at[0], place.at[1], place.at[2], arrive(p, place)...);
    }
};

// InPatches: sums are joined in large patches (box_order.hpp).
template <int Rank, bool InPatches = false>
struct box_stage {
    using threads = choose<Rank == 3, few_planes_a_thread, a_thread_an_element>;
    static constexpr node_traits traits{.rule = "per_element", .size = &size_over_elements, .takes_shape = true, .counts_elements = true, .box_rank = Rank, .first_side = 2, .in_patches = InPatches, .is_stage = true};

    template <class I, class N, class F, class... P>
    COGRAPH_HD static void at(I const& i, N const& n, F const& f, P const&... p) {
        call_in_box<Rank>::call(unwrap(f), i, n, p...);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class... P>
    COGRAPH_HD static void run(Context const& context, N n, P const&... p) {
        context.each(static_cast<index_t>(n), [&](index_t i) { at(i, n, p...); });
    }
};
template <int Rank, bool InPatches, class F>
struct stateless<box_stage<Rank, InPatches>, F> {
    using threads = typename box_stage<Rank>::threads;
    static constexpr node_traits traits{.rule = "per_element", .size = &size_over_elements, .takes_shape = true, .counts_elements = true, .box_rank = Rank, .first_side = 1, .in_patches = InPatches, .is_stage = true};
    template <class I, class N, class... P>
    COGRAPH_HD static void at(I const& i, N const& n, P const&... p) {
        call_in_box<Rank>::call(F(), i, n, p...);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class... P>
    COGRAPH_HD static void run(Context const& context, N const& n, P const&... p) {
        box_stage<Rank>::run(context, n, made_on_use<F>{}, p...);
    }
};

template <class Op>
inline constexpr bool takes_one_of_two = std::is_same_v<Op, maximum> || std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum_or_nan> || std::is_same_v<Op, minimum_or_nan>;
// Whether the order of an operation's terms may change a result.
template <class Op, class T>
inline constexpr bool has_order = !joins_in_any_order<Op> && !(std::is_integral_v<T> && (std::is_same_v<Op, plus> || takes_one_of_two<Op>)) &&
                                  !((std::is_same_v<T, float> || std::is_same_v<T, double>)&&takes_one_of_two<Op>);
template <class Op, class T>
inline constexpr bool has_order<made_on_use<Op>, T> = has_order<Op, T>;
template <class Op, class T>
inline constexpr bool has_order<Op, made_on_use<T>> = has_order<Op, T>;
template <class Op, class T>
inline constexpr bool has_order<made_on_use<Op>, made_on_use<T>> = has_order<Op, T>;
constexpr unsigned most_ordered_bytes = 8;  // of a result that blocks with tiles send to each other

// The terms of a reduction by their positions in the order of a box; some have none.
template <class Term>
struct terms_in_order {
    box_order order;
    Term const& of_element;  // of a place in the box

    COGRAPH_EXEC_CHECK_OFF
    template <class T, class Op>
    COGRAPH_HD void add(T& sum, Op const& op, index_t position) const {
        box_place<2> place{};
        if (!order.is_cut())
            add_element(sum, op, position);
        else if (order.find(order.corner_of(position), position, place))
            sum = op(sum, of_element(place));
    }
    // Of a box that is not cut.
    COGRAPH_EXEC_CHECK_OFF
    template <class T, class Op>
    COGRAPH_HD void add_element(T& sum, Op const& op, index_t i) const {
        sum = op(sum, of_element(place_of<2>(i, order.rows, order.columns)));
    }
    // Of a box that is cut, all terms of a lane whose first position is given.
    COGRAPH_EXEC_CHECK_OFF
    template <class T, class Op>
    COGRAPH_HD void add_lane(T& sum, Op const& op, index_t position) const {
        if (order.elements == box_order::few)
            add_patch<box_order::few>(sum, op, position, std::make_integer_sequence<int, box_order::few / 2>{});
        else if (order.elements == box_order::many)
            add_patch<box_order::many>(sum, op, position, std::make_integer_sequence<int, box_order::many / 2>{});
        else
            add_large_patch(sum, op, position);
    }

private:
    COGRAPH_EXEC_CHECK_OFF
    template <class T, class Op>
    COGRAPH_HD void add_at(T& sum, Op const& op, index_t row, index_t column) const {
        sum = op(sum, of_element(box_place<2>{row * order.columns + column, {row, column}, {order.rows, order.columns}}));
    }
    // If all exist, no tests stand between them, so that their loads overlap.
    COGRAPH_EXEC_CHECK_OFF
    template <int Elements, class T, class Op, int... I>
    COGRAPH_HD void add_patch(T& sum, Op const& op, index_t position, std::integer_sequence<int, I...>) const {
        constexpr int across = box_order::columns_of_lane(Elements), down = sizeof...(I) / across;
        const box_order::corner first = order.corner_if(Elements, position);
        if (first.row + down <= order.rows && first.column + across <= order.columns)
            (add_at(sum, op, first.row + I / across, first.column + I % across), ...);
        else
            add_existing(sum, op, first, down, across);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class T, class Op>
    COGRAPH_HD void add_large_patch(T& sum, Op const& op, index_t position) const {
        constexpr int across = box_order::large_columns / 2, together = 4;  // columns and rows
        box_order::corner first = order.corner_if_large(position);
        int down = order.large_rows();
        if (first.row + down <= order.rows && first.column + across <= order.columns)
            for (; down >= together; down -= together, first.row += together) add_together(sum, op, first, std::make_integer_sequence<int, across * together>{});
        add_existing(sum, op, first, down, across);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class T, class Op, int... I>
    COGRAPH_HD void add_together(T& sum, Op const& op, box_order::corner const& first, std::integer_sequence<int, I...>) const {
        (add_at(sum, op, first.row + I / 2, first.column + I % 2), ...);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class T, class Op>
    COGRAPH_HD void add_existing(T& sum, Op const& op, box_order::corner const& first, int down, int across) const {
        for (int row = 0; row < down && first.row + row < order.rows; ++row)
            for (int column = 0; column < across && first.column + column < order.columns; ++column) add_at(sum, op, first.row + row, first.column + column);
    }
};

template <int Rank, bool InPatches = false>
struct box_reduce_stage {
    using threads = a_tile_a_chunk;
    static constexpr node_traits traits{.rule = "per_chunk", .size = &size_over_chunks, .counts_elements = true, .box_rank = Rank, .first_side = 6, .in_patches = InPatches, .reduces = true, .is_stage = true};
    template <class... P>
    static constexpr bool has_two_kernels = !(is_light<P> && ...);
    template <class N, class F, class Op, class T, class... P>
    static constexpr bool is_in_box_order = Rank == 2 && has_order<Op, T>;

    template <class I, class N, class F, class Op, class T, class... P>
    COGRAPH_HD static T term(I const& i, N const& n, F const& f, Op const&, T const&, void*, reference<T> const&, P const&... p) {
        return static_cast<T>(call_in_box<Rank>::call(unwrap(f), i, n, p...));
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class F, class Op, class T, class... P>
    COGRAPH_HD static void run(Context const& context, N n, F const& f, Op const& op, T const& identity, void* scratch, reference<T> out, P const&... p) {
        if constexpr (is_in_box_order<N, F, Op, T>) {
            const box_order order = order_of(p...);
            const auto of_element = [&](auto const& i) -> T { return term(i, n, f, op, identity, scratch, out, p...); };
            if constexpr (requires { context.reduce_in_order(order, index_t{}, identity, unwrap(op), of_element, scratch, out.at); })
                context.reduce_in_order(order, static_cast<index_t>(n), identity, unwrap(op), of_element, scratch, out.at);
            else
                context.reduce(order.is_cut() ? order.positions() : static_cast<index_t>(n), identity, unwrap(op), terms_in_order<decltype(of_element)>{order, of_element}, scratch, out.at);
        } else {
            const auto of_element = [&](index_t i) -> T { return term(i, n, f, op, identity, scratch, out, p...); };
            context.reduce(static_cast<index_t>(n), identity, unwrap(op), of_element, scratch, out.at);
        }
    }
    template <class Rows, class Columns, class... P>
    COGRAPH_HD static box_order order_of(Rows const& rows, Columns const& columns, P const&...) {
        return box_order(static_cast<index_t>(unwrap(rows)), static_cast<index_t>(unwrap(columns)), InPatches);
    }
};

}  // namespace cograph::core
