// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/lowering_queries.hpp>
#include <cograph/plan/lowering/merged_kernels.hpp>
#include <cograph/plan/lowering/tile_queries.hpp>
#include <cograph/plan/persistent/barriers.hpp>
#include <cograph/plan/phases/phases.hpp>

namespace cograph::core {

// The phases of loops, as questions about the plan.

// Where a loop of E that is one kernel has phases.
template <class E>
constexpr auto phases_in(const node_spec& loop) {
    barrier_pass<2 * count_parameters(E::tree), E::leaves> barriers{};
    barriers.pass(loop, 0);
    return phase_search<E::leaves>(barriers, loop);
}
constexpr phase_status phase_outside(const plan_view& p, int r) { return persistent_loop(p, r) < 0 ? phase_status::is_not_one_kernel : phase_status::not_over_elements; }

// By node of a plan. No constant: of many loops it would take a compiler too long.
template <class E>
struct phase_table {
    phase_status of[plan_of<E>::view.count.nodes + 1];

    phase_table() {
        const plan_view& p = plan_of<E>::view;
        for (int r = 0; r <= p.count.nodes; ++r) of[r] = r == p.count.nodes ? phase_status::is_not_one_kernel : phase_outside(p, r);
        for (int loop = 0; loop < p.count.nodes; ++loop) {
            if (p.nodes[loop].kind != plan_node_kind::conditional || persistent_loop(p, loop) != loop) continue;
            const auto search = phases_in<E>(*p.nodes[loop].from);
            for (int r = 0; r < p.count.nodes; ++r)
                if (p.nodes[r].kind == plan_node_kind::work && persistent_loop(p, r) == loop) of[r] = search.status_of(p.nodes[r].leaf - p.nodes[loop].leaf);
        }
    }
};

// How the loops of a plan run that are one kernel each: the plan with their tiles, or null; and the phases, by node. If one of them has too many elements: the
// nodes that share kernels.
struct kernel_forms {
    const plan_view* with_tiles = nullptr;
    const phase_status* phases = nullptr;
    group_view if_too_many_elements;
};
// How many iterations of a loop are two passes over memory then; 0: it has none.
constexpr int iterations_in_passes(kernel_forms const& forms, const plan_view& p, int loop) {
    return forms.if_too_many_elements.first && !p.nodes[loop].as_nodes ? iterations_in_passes(*p.nodes[loop].from) : 0;
}
template <class E>
kernel_forms forms_of() {
    static const phase_table<E> phases;
    return {plan_with_tiles<E>(), phases.of, groups_if_too_many_elements<E>()};
}

constexpr lowering_words words_of(phase_status status) {
    switch (status) {
        case phase_status::phase: return {"phase", "in a phase if it has few elements"};
        case phase_status::small_phase: return {"small_phase", "in a phase if it has up to 256 elements"};
        case phase_status::is_not_one_kernel: return {"is_not_one_kernel", ""};
        case phase_status::not_over_elements: return {"not_over_elements", ""};
        case phase_status::reduces: return {"reduces", "in no phase: it reduces"};
        case phase_status::beside_a_reduction: return {"beside_a_reduction", "in no phase: beside a reduction"};
        case phase_status::groups_of_threads: return {"groups_of_threads", "in no phase: groups of threads"};
        case phase_status::no_computed_extent: return {"no_computed_extent", ""};
        case phase_status::too_few_barriers: return {"too_few_barriers", ""};
    }
    return {"", ""};
}
constexpr bool is_in_phase(phase_status status) { return status == phase_status::phase || status == phase_status::small_phase; }

// Whether a node may run in a phase, or why not. The extents of a run say whether it does.
template <expression E, class S>
    requires selectable<E, S>
constexpr phase_status why_no_phase(const E&, S) {
    constexpr const plan_view& p = plan_of<typename E::self>::view;
    constexpr int node = select<typename E::self, S>().node, loop = persistent_loop(p, node);
    if constexpr (loop < 0 || p.nodes[node].kind != plan_node_kind::work)
        return phase_outside(p, node);
    else
        return phases_in<typename E::self>(*p.nodes[loop].from).status_of(p.nodes[node].leaf - p.nodes[loop].leaf);
}

}  // namespace cograph::core
