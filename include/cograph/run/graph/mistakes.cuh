// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/graph/executable.cuh>
#include <cograph/run/launch/eager.cuh>

namespace cograph::core {

// Calls whose bindings are wrong for their expression, or whose expression cannot run.

template <expression E, class... B>
    requires(!can_run<typename E::self, B...>)
auto instantiate(E const&, B...) -> decltype(mistake_of<struct instantiate_call, E, B...>(diagnose_run<typename E::self, B...>()));
template <expression E, class... B>
    requires(!can_run<typename E::self, B...>)
auto instantiate(E const&, memory_choice, B...) -> decltype(mistake_of<struct instantiate_call, E, B...>(diagnose_run<typename E::self, B...>()));

template <expression E, class... B>
    requires(!can_run<typename E::self, B...>)
auto run_on(cudaStream_t, E const&, B...) -> decltype(mistake_of<struct run_on_call, E, B...>(diagnose_run<typename E::self, B...>()));

}  // namespace cograph::core
