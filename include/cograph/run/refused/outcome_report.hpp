// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/refused/batch/batch_reports.hpp>

namespace cograph::core {

template <class E>
class executable;

// Refused calls of summarize and loops_of_problems.
template <class E, class W>
    requires(!is_fine<decltype(diagnose_outcomes<E, W>())>)
auto summarize(const executable<E>&, W) -> decltype(mistake_of<struct summarize_of_run, E, W>(diagnose_outcomes<E, W>()));
template <class... A>
auto loops_of_problems(A const&...) -> mistake<arguments_are_not_those_of<struct loops_of_problems_call, A...>, struct write_loops_of_problems_of_an_executable>;

}  // namespace cograph::core
