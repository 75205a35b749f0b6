// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan_flow.hpp"
#include "plan_run.hpp"

#include <cograph/plan/analysis/definite_assignment.hpp>

// What is read before all of it is written, once a run knows how many elements there are.
namespace plan_fuzz {

// What differs between the reads that the planner finds with some sizes and those of a tree; empty when nothing does.
inline std::string check_sizes(const tree& t, const run_time_plan& plan, const model_sizes& sizes) {
    const cograph::core::plan_view view = plan.view();
    const guarded<std::ptrdiff_t> counts(plan.count.variables), domains(plan.count.nodes);
    const guarded<cograph::core::planned_variable> planned(plan.count.variables);
    const guarded<cograph::core::written_part> written(plan.count.variables);
    const guarded<cograph::core::written_change> log(plan.count.accesses);
    const guarded<int> mark(plan.count.variables);
    for (int v = 0; v < plan.count.named; ++v) counts.data()[v] = sizes.counts[number_of(view.variables[v].info)];
    for (int r = 0; r < plan.count.nodes; ++r) {
        const node_spec& node = *view.nodes[r].from;
        const argument& counted = node.domain;
        domains.data()[r] = !node.traits->counts_elements                   ? -1
                            : counted.form == argument_form::count ? static_cast<int>(counted.size)
                            : counted.variable                     ? sizes.counts[number_of(counted.variable)]
                                                                   : -1;
    }
    cograph::core::assignment_pass{view, {counts.data(), domains.data()}, planned.data(), written.data(), log.data(), mark.data()}.visit();
    if (!planned.intact() || !written.intact() || !log.intact() || !mark.intact()) return "assignment_pass wrote behind a table";

    const model_flow flow(t, sizes);
    const model_paths paths(t, sizes);
    if ((paths.read_first & ~flow.read_first) || (paths.complete && paths.read_first != flow.read_first)) return "the two models of sized flow differ";
    for (int at = 0; at < plan.count.named; ++at) {
        const cograph::core::planned_variable& found = planned.data()[at];
        const int v = number_of(view.variables[at].info);
        if (found.always_written != (flow.always_written >> v & 1)) return "always_written, of some sizes";
        if (found.read_first != (flow.read_first >> v & 1)) return "reads of what is written in part";
        if (!found.read_first) continue;
        if (view.nodes[found.first_reader].leaf != flow.first_reader[v]) return "the first read of what is written in part";
        if (found.written_by_then != flow.written_by_then[v] + 1) return "how much is written in part";
    }
    return {};
}

}  // namespace plan_fuzz
