// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/refused/run.hpp>
#include <cograph/plan/refused/selector.hpp>

#include <type_traits>

namespace cograph::core {

// Refused calls of simulate_stepwise and its steps.

template <class V>
inline constexpr bool has_elements = V::kind == variable_kind::buffer || V::kind == variable_kind::temp || in_host_memory<V>;

// Whether a step can show a variable, as elements or as one value.
template <class E, class V, bool Elements>
constexpr auto diagnose_look() {
    if constexpr (!variable<V>)
        return not_a_variable<V>{};
    else if constexpr (!knows_variable<E, typename V::tag>)
        return variable_is_not_in_the_expression<V>{};
    else if constexpr (has_elements<V> != Elements)
        return std::conditional_t<Elements, has_one_value<V>, has_many_values<V>>{};
    else
        return fine{};
}

template <class E>
class step;
template <class F, class E>
concept steps_into = std::is_same_v<std::invoke_result_t<F&, const step<E>&>, void> || std::is_same_v<std::invoke_result_t<F&, const step<E>&>, bool>;

template <class E, class F, class... B>
constexpr auto diagnose_stepping() {
    if constexpr (!expression<E>)
        return decltype(why_no_expression(static_cast<const E*>(nullptr))){};
    else if constexpr (!can_simulate<typename E::self, B...>)
        return diagnose_simulation<typename E::self, B...>();
    else if constexpr (!steps_into<F, typename E::self>)
        return function_cannot_take_steps<F>{};
    else
        return fine{};
}

template <class E, class F, class... B>
auto simulate_stepwise(E const&, F, B...) -> decltype(mistake_of<struct simulate_stepwise_call, E, F, B...>(diagnose_stepping<E, F, B...>()));

}  // namespace cograph::core
