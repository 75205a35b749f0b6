// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/heap_array.hpp>
#include <cograph/plan/refused/batch/batch_reports.hpp>
#include <cograph/run/graph/executable.cuh>

namespace cograph::core {

// What the host reads of memory that is bound to a run, after the last launch.
struct reader_of_runs {
    static slot slot_of(const graph_run& run, const variable_info& variable) {
        const frame& f = run.state().f;
        return f.slots[number_of(f, &variable)];
    }
    static void read(const graph_run& run, const variable_info& variable, const void* from, std::size_t bytes, void* to) { run.fetch_from(from, bytes, to, {variable.name.read()}); }
};

// The least, largest and total number of iterations of the problems of a batch in the last launch, for which this waits, from the buffer
// to which the problems report: summarize(exec, ends).
template <class E, class W>
    requires is_fine<decltype(diagnose_outcomes<E, W>())>
outcome_summary summarize(const executable<E>& exec, W) {
    constexpr const variable_info& variable = info_of<W>;
    const slot s = reader_of_runs::slot_of(exec, variable);
    const heap_array<loop_outcome> outcomes(static_cast<index_t>(s.count));
    if (s.count > 0) reader_of_runs::read(exec, variable, s.pointer, s.count * sizeof(loop_outcome), outcomes.begin());
    return summarize(outcomes.begin(), s.count);
}

// Refused calls.
template <class E, class W>
    requires(!is_fine<decltype(diagnose_outcomes<E, W>())>)
auto summarize(const executable<E>&, W) -> decltype(mistake_of<struct summarize_of_run, E, W>(diagnose_outcomes<E, W>()));

}  // namespace cograph::core
