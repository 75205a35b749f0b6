// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/persistent/loop/parameters.hpp>
#include <cograph/plan/persistent/loop/results.hpp>
#include <cograph/plan/tables/plan.hpp>

namespace cograph::core {

constexpr unsigned persistent_scalar_bytes = 256;  // of a scalar, at most

// Whether a loop runs as one persistent kernel, or why it does not.
enum class lowering_status : unsigned char {
    persistent,
    not_in_a_loop,               // only loops become kernels
    opaque_node,                 // a __global__ function or other code that chooses its own launch
    scalar_is_large,             // over 256 bytes, or 64 of the result of a reduction
    single_task_writes_memory,   // every thread runs single-thread nodes, on its own copy of the scalars
    element_node_writes_scalar,  // other than the result of a reduction
    condition_writes,
    too_many_parameters,         // in all, for one kernel
    parameters_are_large,        // the same in bytes
    too_many_elements,           // of an executable, which knows extents
    lowering_disabled,           // by as_nodes
    driven_by_host               // it is, or a loop in it
};

// What of one node keeps it out of a persistent kernel, its children aside.
constexpr lowering_status own_obstacle(const node_spec& tree) {
    if (tree.kind == spec_kind::work && !tree.traits->is_stage) return lowering_status::opaque_node;
    for (int i = 0; i < tree.argument_count; ++i) {
        const argument& a = tree.arguments[i];
        if (!a.variable) continue;
        const bool is_scalar = a.variable->kind == variable_kind::scalar;
        if (is_scalar && a.variable->size > persistent_scalar_bytes) return lowering_status::scalar_is_large;
        if (!writes(a.access)) continue;
        if (tree.kind != spec_kind::work) return lowering_status::condition_writes;
        if (tree.traits->one_thread && !is_scalar) return lowering_status::single_task_writes_memory;
        if (tree.traits->counts_elements && !tree.traits->reduces && !tree.traits->writes_results && is_scalar) return lowering_status::element_node_writes_scalar;
        const bool is_result = tree.traits->reduces && i > 0 && tree.arguments[i - 1].form == argument_form::scratch;
        if (tree.traits->reduces && (is_scalar || is_result) && is_scalar != is_result)
            return lowering_status::element_node_writes_scalar;
        if (is_result && a.variable->size > persistent_result_bytes) return lowering_status::scalar_is_large;
    }
    return lowering_status::persistent;
}

struct obstacle {
    lowering_status why = lowering_status::persistent;
    int leaf = -1;  // the node at fault
};

constexpr int count_leaves(const node_spec& tree) {
    int count = is_group(tree) ? 0 : tree.leaves;
    for (int i = 0; i < tree.child_count; ++i) count += count_leaves(*tree.children[i]);
    return count;
}

// The first node of an expression that cannot be a part of one persistent kernel. Only library nodes can. Single-thread nodes may
// write scalars alone, since every thread runs them on a copy of its own. Nodes over elements write memory, and of scalars only
// a reduction its result. `leaf` is the number of the expression's first node, and then that of the node after the expression.
constexpr obstacle find_obstacle(const node_spec& tree, int& leaf) {
    const lowering_status own = tree.host_driven ? lowering_status::driven_by_host : tree.as_nodes ? lowering_status::lowering_disabled : own_obstacle(tree);
    if (own != lowering_status::persistent) return {own, leaf};
    if (!is_group(tree)) leaf += tree.leaves;
    for (int i = 0; i < tree.child_count; ++i) {
        const obstacle below = find_obstacle(*tree.children[i], leaf);
        if (below.why != lowering_status::persistent) return below;
    }
    return {};
}

// Why a loop, whose number is `leaf`, does not run as one kernel, or that it does.
constexpr obstacle obstacle_of_loop(const node_spec& loop, int leaf) {
    int next = leaf;
    const obstacle found = find_obstacle(loop, next);
    if (found.why != lowering_status::persistent) return found;
    const parameter_total needed = parameters_once(loop);
    if (needed.count > most_persistent_parameters) return {lowering_status::too_many_parameters, leaf};
    if (needed.bytes > most_persistent_parameter_bytes) return {lowering_status::parameters_are_large, leaf};
    return found;
}
constexpr bool persists(const node_spec& tree) {
    return is_loop(tree.kind) && obstacle_of_loop(tree, 0).why == lowering_status::persistent;
}

// The loop that a node is or lies in, nearest first; -1 if there is none.
constexpr int loop_around(const plan_view& p, int r) {
    while (r >= 0 && !(p.nodes[r].kind == plan_node_kind::conditional && is_loop(p.nodes[r].control))) r = p.regions[p.nodes[r].region].owner;
    return r;
}

// The loop as a part of which a node runs in a persistent kernel; -1 if it does not.
constexpr int persistent_loop(const plan_view& p, int r) {
    int found = -1;
    for (int at = loop_around(p, r); at >= 0; at = loop_around(p, p.regions[p.nodes[at].region].owner))
        if (!p.nodes[at].as_nodes && persists(*p.nodes[at].from)) found = at;
    return found;
}

}  // namespace cograph::core
