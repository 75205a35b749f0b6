// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/refused/run.hpp>

namespace cograph::core {

// Refused calls of simulate.

template <expression E, class... B>
    requires(!can_simulate<typename E::self, B...>)
auto simulate(E const&, B...) -> decltype(mistake_of<struct simulate_call, E, B...>(diagnose_simulation<typename E::self, B...>()));
template <class E, class... B>
auto simulate(E const&, B...) -> decltype(mistake_of<struct simulate_call, word<E>, B...>(why_no_expression(static_cast<const E*>(nullptr))));
template <class... A>
auto simulate(A const&...) -> mistake<arguments_are_not_those_of<struct simulate_call, A...>, struct write_simulate_expression_bindings>;

}  // namespace cograph::core
