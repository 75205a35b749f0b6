// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/refused/run.hpp>

namespace cograph::core {

// Refused calls of check and its options.

template <class T>
inline constexpr bool is_check_option = false;

// Whether something can be said of how nodes write a variable.
template <class V>
constexpr auto diagnose_atomic() {
    if constexpr (!variable<V>)
        return not_a_variable<V>{};
    else if constexpr (by_value<V>)
        return has_no_memory_of_its_own<V>{};
    else
        return fine{};
}
template <class V>
    requires(!is_fine<decltype(diagnose_atomic<V>())>)
auto atomic(V, double = 0) -> decltype(mistake_of<struct atomic_option, V>(diagnose_atomic<V>()));
template <class V>
    requires(!is_fine<decltype(diagnose_atomic<V>())>)
auto unordered(V) -> decltype(mistake_of<struct unordered_option, V>(diagnose_atomic<V>()));

// The bindings among the arguments of a check.
template <class T>
using binding_among = choose<is_check_option<T>, list<>, list<T>>;
template <class... T>
using bindings_among = decltype((list<>{} + ... + binding_among<T>{}));

template <class E, class Bindings>
inline constexpr bool can_check = false;
template <class E, class... B>
inline constexpr bool can_check<E, list<B...>> = can_simulate<E, B...>;
template <class E, class... B>
constexpr auto diagnose_check(list<B...>) {
    return diagnose_simulation<E, B...>();
}

}  // namespace cograph::core

namespace cograph::core::checks {

template <expression E, class... T>
    requires(!can_check<typename E::self, bindings_among<T...>>)
auto check(E const&, T...) -> decltype(mistake_of<struct check_call, E, T...>(diagnose_check<typename E::self>(bindings_among<T...>{})));
// Other functions have this name, so only calls with something of this library are its own.
template <class E, class... T>
    requires(!expression<E> && (expression<T> || ...))
auto check(E const&, T const&...) -> mistake<arguments_are_not_those_of<struct check_call, word<E>, T...>, struct write_check_expression_bindings>;
template <class E, class... T>
    requires(!expression<E> && !(expression<T> || ...) && (binding<T> || ...))
auto check(E const&, T const&...) -> decltype(mistake_of<struct check_call, word<E>, T...>(why_no_expression(static_cast<const E*>(nullptr))));

}  // namespace cograph::core::checks
