// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/batch_reasons.hpp>  // first: compilers print by which files they came to it

#include <cograph/expr/variable/access_mode.hpp>

#include <type_traits>

namespace cograph::core {

struct loop_outcome;
struct outcome_summary;

// Refused calls of summarize.
template <class V, class W>
constexpr auto diagnose_summary() {
    if constexpr (!std::is_same_v<typename W::element, loop_outcome>)
        return reports_go_to_loop_outcomes<W>{};
    else if constexpr (!(V::kind == variable_kind::scalar && std::is_same_v<typename V::element, outcome_summary>))
        return summaries_go_to_a_scalar<V>{};
    else
        return fine{};
}
template <class V, class W>
    requires(!is_fine<decltype(diagnose_summary<V, W>())>)
auto summarize(out_t<V>, in_t<W>) -> decltype(mistake_of<struct summarize_call, V, W>(diagnose_summary<V, W>()));

}  // namespace cograph::core
