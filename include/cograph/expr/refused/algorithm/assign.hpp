// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/formula.hpp>
#include <cograph/expr/refused/algorithm/library_calls.hpp>
#include <cograph/expr/refused/algorithm/transform_reduce.hpp>

namespace cograph::core {

// Refused calls of assign.

struct assign_formula;
advises<struct write_assign_s_formula_over_scalars_and_values> how_to_call(assign_formula*);

template <class... A>
constexpr auto diagnose_assign_call(list<A...>) {
    return wrong_arguments<assign_formula, A...>();
}
// An enumeration takes its own kind, a number no scoped one.
template <class S, class Formula>
constexpr auto diagnose_assigned(word<Formula>) {
    if constexpr (__is_enum(typename operand_type<S>::type) ? are_of_one_type<S, Formula> : !is_scoped_operand<Formula>)
        return fine{};
    else
        return enumeration_is_no_number<S, Formula>{};
}
template <class S, class F, class... V>
constexpr auto diagnose_assigned(word<computation<F, V...>>) {
    if constexpr (__is_enum(typename operand_type<S>::type))
        return enumeration_is_no_number<S, formula_over<V...>>{};
    else if constexpr (sizeof...(V) > most_arguments)
        return too_many_parameters<assign_formula, takes_parameters<sizeof...(V)>, limit_is<most_arguments>>{};
    else
        return fine{};
}
template <class S, class Operation, class... T>
constexpr auto diagnose_assigned(word<formula<Operation, T...>>) {
    return diagnose_assigned<S>(word<computation_t<formula<Operation, T...>>>{});
}
template <receives S, formula_term Formula>
constexpr auto diagnose_assign_call(list<S, Formula>) {
    return diagnose_assigned<S>(word<Formula>{});
}
template <receives S, class Formula>
    requires(is_any_formula<Formula> && !formula_term<Formula>)
constexpr auto diagnose_assign_call(list<S, Formula>) {
    return assigned_formula_is_over_arrays<S>{};
}
template <class V, class T>
inline constexpr bool is_struct_of = std::is_class_v<T> && std::is_convertible_v<T, typename V::element>;
template <class V, variable T>
inline constexpr bool is_struct_of<V, T> = std::is_class_v<typename T::element> && std::is_convertible_v<typename T::element, typename V::element>;
template <receives S, class T>
    requires(!is_any_formula<T> && is_struct_of<S, T>)
constexpr auto diagnose_assign_call(list<S, T>) {
    return assigned_value_is_no_number<S>{};
}
template <has_tag V, class Formula>
    requires(!receives<V>)
constexpr auto diagnose_assign_call(list<V, Formula>) {
    if constexpr (misnamed<V>)
        return diagnose_tag<V>();
    else if constexpr (V::kind == variable_kind::value)
        return value_cannot_be_written<V>{};
    else
        return assigned_is_no_scalar<V>{};
}

template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_assign_call(list<A...>{}))>)
auto assign(A const&...) -> decltype(mistake_of<struct assign_node_call, A...>(diagnose_assign_call(list<A...>{})));
template <class... A>
auto assign(A const&...) -> mistake<arguments_are_not_those_of<assign_formula, A...>, struct write_assign_s_formula_over_scalars_and_values>;

}  // namespace cograph::core
