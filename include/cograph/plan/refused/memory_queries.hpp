// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/refused/run.hpp>

namespace cograph::core {

// Refused calls of may_alias and memory_usage.

template <class E, class V>
constexpr auto diagnose_temp() {
    if constexpr (!variable<V>)
        return not_a_variable<V>{};
    else if constexpr (V::kind != variable_kind::temp)
        return only_temps_may_alias<V>{};
    else if constexpr (!knows_variable<E, typename V::tag>)
        return variable_is_not_in_the_expression<V>{};
    else
        return fine{};
}
template <class E, class A, class B>
constexpr auto diagnose_sharing() {
    return join(list<>{}, diagnose_temp<E, A>(), diagnose_temp<E, B>());
}

template <expression E, class A, class B>
    requires(!is_fine<decltype(diagnose_sharing<typename E::self, A, B>())>)
auto may_alias(const E&, A, B) -> decltype(mistake_of<struct may_alias_query, E, A, B>(diagnose_sharing<typename E::self, A, B>()));
template <class... A>
auto may_alias(A const&...) -> mistake<arguments_are_not_those_of<struct may_alias_query, A...>, struct write_may_alias_expression_and_two_temps>;

template <expression E, class... B>
    requires(!can_run<typename E::self, B...>)
auto memory_usage(E const&, B...) -> decltype(mistake_of<struct memory_usage_query, E, B...>(diagnose_run<typename E::self, B...>()));
template <class... A>
auto memory_usage(A const&...) -> mistake<arguments_are_not_those_of<struct memory_usage_query, A...>, struct write_memory_usage_expression_bindings>;

}  // namespace cograph::core
