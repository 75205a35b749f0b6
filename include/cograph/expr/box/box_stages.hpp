// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_places.hpp>
#include <cograph/expr/box/terms_in_order.hpp>
#include <cograph/expr/node/stage.hpp>

namespace cograph::core {

// Nodes over boxes: for boxes of more than one dimension, the parameters after those of other stages begin with the
// sides.

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
