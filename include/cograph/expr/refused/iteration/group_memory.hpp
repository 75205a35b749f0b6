// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/host_value.hpp>
#include <cograph/expr/refused/algorithm/group_nodes.hpp>

namespace cograph::core {

// Refused shared memory of groups of threads.

template <int Size, class T, class N>
struct group_memory_argument;
template <int Size, class T, class N>
word<T*> arrival(const group_memory_argument<Size, T, N>*);

template <class N>
inline constexpr bool counts_shared_elements = (std::is_integral_v<N> && !std::is_same_v<N, bool>) || is_host_formula<N>;
template <class V>
inline constexpr bool counts_shared_elements<extent_t<V>> = true;
template <variable V>
    requires(V::kind == variable_kind::value && std::is_integral_v<typename V::element> && !std::is_same_v<typename V::element, bool>)
inline constexpr bool counts_shared_elements<V> = true;

template <class N>
struct number_of_elements;
template <class Shape, class T, class N, class F, int Size, class... A>
concept group_memory_call = element_shape_type<Shape> && __is_trivially_copyable(T) && alignof(T) <= 16 && counts_shared_elements<N> &&
                            group_call<F, Size, group_memory_argument<Size, T, typename number_of_elements<N>::type>, A...>;
template <class Shape, class T, class N, class F, int Size, class... A>
constexpr auto diagnose_group_memory() {
    if constexpr (!element_shape_type<Shape>)
        return diagnose_shape<Shape, F>();
    else if constexpr (!__is_trivially_copyable(T) || alignof(T) > 16)
        return shared_elements_are_not_plain<T>{};
    else if constexpr (!counts_shared_elements<N>)
        return not_a_number_of_elements<N>{};
    else
        return diagnose_group_call<Shape, F, Size, group_memory_argument<Size, T, typename number_of_elements<N>::type>, A...>();
}

template <int Size, class Shape, class T, class N, class F>
class group_memory_builder;
template <int Size, class Shape, class T, class N, class F>
constexpr arguments_are_missing<F> why_no_expression(const group_memory_builder<Size, Shape, T, N, F>*) {
    return {};
}

}  // namespace cograph::core
