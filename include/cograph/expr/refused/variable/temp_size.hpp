// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/formula.hpp>
#include <cograph/expr/reasons/binding_reasons.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/variable/size_formula.hpp>

namespace cograph::core {

// Refused calls of the sizes of temps.

// A quantity that the host knows when a run is set up.
template <class V>
inline constexpr bool is_in_sizes = is_extent<V>;
template <variable V>
inline constexpr bool is_in_sizes<V> = V::kind == variable_kind::value && is_plain_integer<typename V::element>;

// The first part of a formula over V... that can be none of a size.
template <int First, class... V>
constexpr auto diagnose_size_part(word<placeholder>, list<V...>) {
    using variable = typename pick_type<First, V...>::type;
    if constexpr (is_in_sizes<variable>)
        return fine{};
    else
        return no_size_of<variable>{};
}
template <int, class T, class... V>
constexpr auto diagnose_size_part(word<constant<T>>, list<V...>) {
    if constexpr (is_plain_integer<T>)
        return fine{};
    else
        return no_size_of<T>{};
}
template <int, class F, class... V>
constexpr auto diagnose_size_part(word<F>, list<V...>) {
    return no_size_of<formula_over<V...>>{};
}
template <int First, class Operation, class L, class R, class... V>
    requires(step_of<Operation> != size_step::number)
constexpr auto diagnose_size_part(word<apply<Operation, L, R>>, list<V...> variables) {
    if constexpr (!is_fine<decltype(diagnose_size_part<First>(word<L>{}, variables))>)
        return diagnose_size_part<First>(word<L>{}, variables);
    else
        return diagnose_size_part<First + L::arity>(word<R>{}, variables);
}
template <class F, class... V>
constexpr auto diagnose_size_formula(word<computation<F, V...>>) {
    return diagnose_size_part<0>(word<F>{}, list<V...>{});
}
template <class T>
constexpr auto diagnose_temp_size() {
    if constexpr (std::is_arithmetic_v<T> || is_any_formula<T>)
        return diagnose_size_formula(word<computation_t<T>>{});
    else
        return no_size_of<T>{};
}

// The mistake in a size, or fine.
template <class Diagnosis>
struct checked_size {
    using type = decltype(mistake_of<checked_size>(Diagnosis{}));
};
template <>
struct checked_size<fine> {
    using type = fine;
};
template <auto Size>
using checked_size_t = typename checked_size<decltype(diagnose_temp_size<std::remove_cvref_t<decltype(Size)>>())>::type;

}  // namespace cograph::core
