// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/algorithm/assign.hpp>

namespace cograph::core {

// Refused calls of members of structs.

namespace operation {
template <auto... M>
struct member_of {};
}  // namespace operation
template <auto... M>
struct members {};

template <class T, auto... M>
concept has_member = sizeof...(M) > 0 && requires(T& of) { (of.*....*M); };
template <class V, auto... M>
using member_type = std::remove_cvref_t<decltype((std::declval<typename V::element&>().*....*M))>;
template <class V>
inline constexpr bool has_numbers_in_formulas = V::kind == variable_kind::scalar || V::kind == variable_kind::value || in_elements<V>;

template <class V, class T>
constexpr member_is_no_number<V, T> is_no_number(const T*) {
    return {};
}
template <class V, auto... M>
constexpr auto diagnose_member() {
    if constexpr (!has_tag<V>)
        return not_a_variable<V>{};
    else if constexpr (!variable<V>)
        return diagnose_tag<V>();
    else if constexpr (!has_numbers_in_formulas<V>)
        return no_formula_over<V>{};
    else if constexpr (!has_member<typename V::element, M...>)
        return has_no_such_member<V>{};
    else if constexpr (!is_number<member_type<V, M...>>)
        return decltype(is_no_number<V>(&(std::declval<const typename V::element&>().*....*M))){};
    else
        return fine{};
}
template <auto... M, class V>
    requires(!is_fine<decltype(diagnose_member<V, M...>())>)
auto member(V const&) -> decltype(mistake_of<members<M...>, V>(diagnose_member<V, M...>()));

template <class S, class Formula, auto... M>
constexpr auto diagnose_member_assign() {
    if constexpr (S::kind == variable_kind::value)
        return value_cannot_be_written<S>{};
    else if constexpr (!receives<S>)
        return assigned_is_no_scalar<S>{};
    else if constexpr (!requires(typename S::element& to, member_type<S, M...> number) { (to.*....*M) = number; })
        return member_is_const<S>{};
    else if constexpr (!is_any_formula<Formula> && !is_number<Formula>)
        return wrong_arguments<assign_formula, S, Formula>();
    else if constexpr (!formula_term<Formula>)
        return assigned_formula_is_over_arrays<S>{};
    else
        return diagnose_assigned<formula<operation::member_of<M...>, S>>(word<Formula>{});
}
template <auto... M, class S, class Formula>
    requires(!is_fine<decltype(diagnose_member_assign<S, Formula, M...>())>)
auto assign(formula<operation::member_of<M...>, S> const&, Formula const&)
    -> decltype(mistake_of<members<M...>, S, Formula>(diagnose_member_assign<S, Formula, M...>()));

}  // namespace cograph::core
