// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/launch_shape.hpp>
#include <cograph/expr/reasons/box_reasons.hpp>
#include <cograph/expr/refused/variable/temp_size.hpp>

namespace cograph::core {

// Refused calls of boxes.

// The extent of a variable, or an integer value.
template <class A>
inline constexpr bool is_variable_side = is_extent<A>;
template <variable V>
inline constexpr bool is_variable_side<V> = V::kind == variable_kind::value && is_plain_integer<typename V::element>;
template <class... A>
inline constexpr bool are_sides = (is_variable_side<A> && ...) || (is_launch_size<A> && ...);

template <auto Side>
constexpr auto diagnose_side() {
    if constexpr (__is_class(std::remove_cvref_t<decltype(Side)>))
        return diagnose_temp_size<std::remove_cvref_t<decltype(Side)>>();
    else
        return diagnose_extents<Side>();
}
template <auto Side, auto... More>
constexpr auto diagnose_sides() {
    if constexpr (sizeof...(More) == 0 || !is_fine<decltype(diagnose_side<Side>())>)
        return diagnose_side<Side>();
    else
        return diagnose_sides<More...>();
}

template <auto A, auto B, auto... C>
    requires(sizeof...(C) < 2 && !is_fine<decltype(diagnose_sides<A, B, C...>())>)
auto over() -> decltype(mistake_of<struct over_call, std::integral_constant<decltype(A), A>, std::integral_constant<decltype(B), B>>(diagnose_sides<A, B, C...>()));
template <class A, class B, class... C>
    requires(sizeof...(C) < 2 && !are_sides<A, B, C...>)
auto over(A, B, C...) -> mistake<not_sides_of_a_box<A, B, C...>, struct give_only_integers_or_only_extents_and_values_or_write_them_in_angle_brackets>;

}  // namespace cograph::core
