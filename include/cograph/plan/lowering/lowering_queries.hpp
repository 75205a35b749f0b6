// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/predication.hpp>
#include <cograph/plan/lowering/unrolling.hpp>
#include <cograph/plan/persistent/eligibility.hpp>
#include <cograph/plan/refused/lowering_queries.hpp>
#include <cograph/plan/report/loop_report.hpp>

namespace cograph::core {

// The lowering of each loop, as questions about the plan. A persistent loop runs as one kernel with its contents, so
// of nested ones the outermost counts.

// Why the loop that a node is or lies in does not run as one kernel.
constexpr obstacle obstacle_of(const plan_view& p, int r) {
    if (persistent_loop(p, r) >= 0) return {};
    const int loop = loop_around(p, r);
    if (loop < 0) return {lowering_status::not_in_a_loop, p.nodes[r].leaf};
    if (is_host_driven(*p.nodes[loop].from)) return {lowering_status::driven_by_host, p.nodes[loop].leaf};
    if (p.nodes[loop].as_nodes) return {lowering_status::lowering_disabled, p.nodes[loop].leaf};
    return obstacle_of_loop(*p.nodes[loop].from, p.nodes[loop].leaf);
}

// The node of a node by its number.
constexpr int node_of_leaf(const plan_view& p, int leaf) {
    for (int r = 0; r < p.count.nodes; ++r)
        if (p.nodes[r].kind != plan_node_kind::condition && p.nodes[r].leaf == leaf) return r;
    return -1;
}

// An answer as a word, and as a clause about the node at fault.
struct lowering_words {
    const char* word;
    const char* clause;
};
constexpr lowering_words words_of(lowering_status why) {
    switch (why) {
        case lowering_status::persistent: return {"persistent", "runs as one kernel"};
        case lowering_status::not_in_a_loop: return {"not_in_a_loop", "is in no loop"};
        case lowering_status::opaque_node: return {"opaque_node", "is opaque"};
        case lowering_status::scalar_is_large: return {"scalar_is_large", "uses a scalar that is too large"};
        case lowering_status::single_task_writes_memory: return {"single_task_writes_memory", "writes memory from one thread"};
        case lowering_status::element_node_writes_scalar: return {"element_node_writes_scalar", "writes a scalar from many threads"};
        case lowering_status::condition_writes: return {"condition_writes", "writes in a condition"};
        case lowering_status::too_many_parameters: return {"too_many_parameters", "has too many parameters in all"};
        case lowering_status::parameters_are_large: return {"parameters_are_large", "has too many bytes of parameters in all"};
        case lowering_status::too_many_elements: return {"too_many_elements", "runs over too many elements"};
        case lowering_status::lowering_disabled: return {"lowering_disabled", "is to stay nodes"};
        case lowering_status::driven_by_host: return {"driven_by_host", "is driven by the host"};
    }
    return {"", ""};
}

// Whether a node is a branch that becomes predicated nodes, or why not; a part of a persistent kernel needs neither.
constexpr predication predication_of_node(const plan_view& p, int r) {
    return p.nodes[r].as_nodes && !is_host_driven(*p.nodes[r].from) ? predication::lowering_disabled : predication_of(*p.nodes[r].from);
}
constexpr lowering_words words_of(predication why) {
    switch (why) {
        case predication::predicated: return {"predicated", "runs as predicated kernels"};
        case predication::no_nodes: return {"no_nodes", "has no nodes"};
        case predication::opaque_node: return {"opaque_node", "holds an opaque node"};
        case predication::holds_control: return {"holds_control", "holds a loop or branch"};
        case predication::too_many_nodes: return {"too_many_nodes", "has too many nodes"};
        case predication::lowering_disabled: return {"lowering_disabled", "is to stay nodes"};
        case predication::driven_by_host: return {"driven_by_host", "is driven by the host"};
    }
    return {"", ""};
}

// Whether a loop that is no part of a persistent kernel runs several iterations from one decision to the next.
constexpr bool is_unrolled(const plan_view& p, int r) { return !p.nodes[r].as_nodes && becomes_unrolled(*p.nodes[r].from); }

// The persistent kernel that a plan has for a loop, by its number; -1 if there is none.
constexpr int kernel_of_loop(const plan_view& p, int loop) {
    for (int r = 0; r < p.count.nodes; ++r)
        for (int i = 0; p.nodes[r].from->traits->persistent && i < p.nodes[r].argument_count; ++i)
            if (p.nodes[r].from->arguments[i].form == argument_form::counter && p.variables[p.arguments[p.nodes[r].first_argument + i]].state == loop) return r;
    return -1;
}
// Why the loop that a node is or lies in does not run as one kernel in a graph that was made by another plan, once extents are known.
constexpr lowering_status status_in(const plan_view& made, const plan_view& p, int r) {
    const lowering_status why = obstacle_of(p, r).why;
    if (why != lowering_status::persistent) return why;
    return kernel_of_loop(made, p.variables[p.nodes[persistent_loop(p, r)].condition].state) >= 0 ? why : lowering_status::too_many_elements;
}

// The node that a selector names, or the loop with a label.
template <class E, class S>
constexpr int asked_node(const record* records, S asked) {
    if constexpr (label_text<S>)
        return labelled_node<E>(records, asked);
    else
        return select<E, S>().node;
}

// Why a loop does not run as one persistent kernel, or lowering_status::persistent; of any other node, the same of the loop around
// it. Extents are not known here: instantiate keeps a loop over very many elements node by node all the same. Throws error when a
// label is that of no loop, or of several.
template <expression E, class S>
    requires(label_text<S> || selectable<E, S>)
constexpr lowering_status why_not_persistent(const E& e, S asked) {
    return obstacle_of(plan_of<typename E::self>::view, asked_node<typename E::self>(e.records, asked)).why;
}

template <expression E, class S>
    requires(label_text<S> || selectable<E, S>)
constexpr bool is_persistent(const E& e, S asked) {
    return why_not_persistent(e, asked) == lowering_status::persistent;
}

}  // namespace cograph::core
