// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/heap_array.hpp>
#include <cograph/plan/batch/problem_loops.hpp>
#include <cograph/plan/refused/batch/batch_reports.hpp>
#include <cograph/run/graph/executable.cuh>
#include <cograph/run/refused/outcome_report.hpp>

namespace cograph::core {

// Memory that is bound to a run, as the host reads it after the last launch.
struct reader_of_runs {
    static slot slot_of(const graph_run& run, const variable_info& variable) {
        const frame& f = run.state().f;
        return f.slots[number_of(f, &variable)];
    }
    static const record* records_of(const graph_run& run) { return run.state().f.records; }
    static void read(const graph_run& run, const variable_info& variable, const void* from, std::size_t bytes, void* to) { run.fetch_from(from, bytes, to, {variable.name.read()}); }
};

// The least, largest and total number of iterations of the problems of a batch in the last launch, for which this waits, from the buffer
// to which the problems report: summarize(exec, ends).
inline outcome_summary summary_of(const graph_run& run, const variable_info& variable) {
    const slot s = reader_of_runs::slot_of(run, variable);
    const heap_array<loop_outcome> outcomes(static_cast<index_t>(s.count));
    if (s.count > 0) reader_of_runs::read(run, variable, s.pointer, s.count * sizeof(loop_outcome), outcomes.begin());
    return summarize(outcomes.begin(), s.count);
}
template <class E, class W>
    requires is_fine<decltype(diagnose_outcomes<E, W>())>
outcome_summary summarize(const executable<E>& exec, W) {
    return summary_of(exec, info_of<W>);
}

// The same of all loops in the problems of an executable, in program order.
template <class E>
problem_loop_report<E> loops_of_problems(const executable<E>& exec) {
    problem_loop_report<E> report;
    report.read_labels(reader_of_runs::records_of(exec));
    for (int i = 0; i < report.count; ++i) {
        const variable_info* const outcomes = problem_loops_of<E>::loops.all[i].outcomes;
        if (!outcomes) continue;
        report.loops[i] = summary_of(exec, *outcomes);
        report.is_reported[i] = true;
    }
    return report;
}

}  // namespace cograph::core
