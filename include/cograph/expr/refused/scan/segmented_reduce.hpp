// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/scan/scan.hpp>

namespace cograph::core {

// Refused calls of segmented_reduce.

template <class Shape>
inline constexpr bool counts_terms = false;
template <class V>
inline constexpr bool counts_terms<over_t<V>> = !by_value<V>;

template <class Shape, class F>
constexpr auto diagnose_segments_shape() {
    if constexpr (!element_shape_type<Shape>)
        return diagnose_shape<Shape, F>();
    else if constexpr (!counts_terms<Shape>)
        return terms_are_not_counted<Shape>{};
    else
        return fine{};
}

template <class Shape, class F, class Op, class Identity, class... A>
constexpr auto diagnose_segmented_reduce(list<A...>) {
    return arguments_are_not_those_of<struct segmented_reduce_node, A...>{};
}
// The rules for x, the offsets, and y, the results.
template <class Shape, class F, class Op, class Identity, class Y, class X, class... A>
    requires are_scanned<X, Y>
constexpr auto diagnose_segmented_reduce(list<out_t<Y>, in_t<X>, A...>) {
    if constexpr (!std::is_integral_v<typename X::element>)
        return offsets_are_no_integers<X>{};
    else if constexpr (std::is_same_v<X, Y>)
        return scanned_in_place<X>{};
    else if constexpr (!(is_for_the_device<A> && ...))
        return first_on_the_host<F, 3, A...>();
    else if constexpr (visits_elements<A...>())
        return each_without_elements<F>{};
    else if constexpr (!callable_with<F, index_t, index_t, A...>)
        return call_fails<F, 2>(list<A...>{}, word<index_t>{}, word<index_t>{}, arrival(static_cast<const A*>(nullptr))...);
    else if constexpr (first_lost_write<F, 2, A...> >= 0)
        return diagnose_lost_write<F, 2>(list<A...>{});
    else if constexpr (!is_fine<decltype(diagnose_passing<F, A...>())>)
        return diagnose_passing<F, A...>();
    else
        return diagnose_join<F, Op, Identity, result_of<F, index_t, index_t, typename call_value<A>::type...>>(element_word(word<Y>{}));
}

template <class Shape, class F, class Op, class Identity>
struct segmented_reduce_builder;
template <class Shape, class F, class Op, class Identity>
constexpr arguments_are_missing<F> why_no_expression(const segmented_reduce_builder<Shape, F, Op, Identity>*) {
    return {};
}

template <class Shape, class F, class Op, class T = take_identity>
    requires(!is_fine<decltype(diagnose_segments_shape<Shape, F>())>)
auto segmented_reduce(Shape, F, Op, T = {}) -> decltype(mistake_of<struct segmented_reduce_call, Shape, F, Op, T>(diagnose_segments_shape<Shape, F>()));
template <class... A>
auto segmented_reduce(A const&...)
    -> mistake<arguments_are_not_those_of<struct segmented_reduce_call, A...>, struct write_segmented_reduce_shape_function_operation>;

}  // namespace cograph::core
