// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/batch_reasons.hpp>
#include <cograph/plan/batch/of_each.hpp>
#include <cograph/plan/refused/loop_report.hpp>
#include <cograph/plan/refused/run.hpp>

namespace cograph::core {

// Refused reports of the loops of problems.

template <class E, class W, class Selector>
constexpr auto diagnose_report(report_by<W, Selector>) {
    if constexpr (!std::is_same_v<typename W::element, loop_outcome>)
        return reports_go_to_loop_outcomes<W>{};
    else if constexpr (!std::is_same_v<Selector, first_loop>)
        return diagnose_loop_selector<E, Selector>();
    else if constexpr (count_loops(E::tree) == 0)
        return selector_names_no_loop<first_loop>{};
    else
        return fine{};
}
template <class E>
constexpr auto diagnose_reports(list<>) {
    return fine{};
}
template <class E, class First, class... Rest>
constexpr auto diagnose_reports(list<First, Rest...>) {
    if constexpr (!is_fine<decltype(diagnose_report<E>(First{}))>)
        return diagnose_report<E>(First{});
    else
        return diagnose_reports<E>(list<Rest...>{});
}

// Whether a run has an array of such reports.
template <class E, class W>
constexpr auto diagnose_outcomes() {
    if constexpr (!variable<W>)
        return not_a_variable<W>{};
    else if constexpr (!(W::kind == variable_kind::buffer && std::is_same_v<typename W::element, loop_outcome>))
        return reports_go_to_loop_outcomes<W>{};
    else if constexpr (!knows_variable<E, W>)
        return variable_is_not_in_the_expression<W>{};
    else
        return fine{};
}

}  // namespace cograph::core
