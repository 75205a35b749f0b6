// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/refused/run.hpp>
#include <cograph/run/memory/memory.cuh>

#include <type_traits>

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

// And a picture of an argument that has no graph.
class graph_run;
template <class Exec, class... A>
    requires(!std::is_base_of_v<graph_run, Exec> || sizeof...(A) != 1 || (!std::is_convertible_v<A, const char*> || ...))
auto write_cuda_dot(Exec const&, A const&...) -> mistake<arguments_are_not_those_of<struct write_cuda_dot_call, Exec, A...>, struct write_write_cuda_dot_executable_path>;

}  // namespace cograph::core
