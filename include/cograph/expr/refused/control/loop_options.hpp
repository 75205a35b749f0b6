// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/variable/variable.hpp>

namespace cograph::core {

// Refused calls of at_most.

template <class N>
constexpr auto diagnose_limit() {
    if constexpr (std::is_integral_v<N>)
        return fine{};
    else if constexpr (variable<N>) {
        if constexpr (N::kind == variable_kind::value && std::is_integral_v<typename N::element>)
            return fine{};
        else
            return limit_is_not_an_integer<N>{};
    } else
        return limit_is_not_an_integer<N>{};
}
template <index_t N>
constexpr auto diagnose_limit() {
    if constexpr (N < 0)
        return limit_is_negative<N>{};
    else
        return fine{};
}

template <class N>
    requires(!is_fine<decltype(diagnose_limit<N>())>)
auto at_most(N) -> decltype(mistake_of<struct at_most_call, N>(diagnose_limit<N>()));

template <index_t N>
    requires(!is_fine<decltype(diagnose_limit<N>())>)
auto at_most() -> decltype(mistake_of<struct at_most_call, limit_is_negative<N>>(diagnose_limit<N>()));
template <class... A>
    requires(sizeof...(A) != 1)
auto at_most(A const&...) -> mistake<arguments_are_not_those_of<struct at_most_call, A...>, struct limit_a_loop_by_an_integer_or_an_integer_value>;

}  // namespace cograph::core
