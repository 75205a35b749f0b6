// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/plan/tables/plan_node.hpp>

namespace cograph::core {

// A variable and those whose extents it takes, one after another.
constexpr int likes_of(const variable_info* variable) {
    int count = 0;
    for (; variable; variable = variable->like) {
        ++count;
        for (int i = 0; variable->size_by && i < variable->size_by->variable_count; ++i) count += likes_of(variable->size_by->variables[i]);
    }
    return count;
}

// Those of a work's own loops.
constexpr int count_counters(const node_spec& tree) {
    int count = 0;
    for (int i = 0; !lowering_of(tree).of_further_iteration && i < tree.argument_count; ++i) count += tree.arguments[i].form == argument_form::counter;
    return count;
}

// For the body of a loop: how many of its children, from the first, run in every iteration. The others are passes
// over arrays for its predicate, once for each test. -1: the body is no such group.
constexpr int repeated_children(const node_spec& body) {
    const bool split = body.kind == spec_kind::sequence && body.child_count > 0 && body.children[body.child_count - 1]->passes;
    return split ? body.child_count - 1 : -1;
}

// How large the tables can become: bounds, but exact for nodes, arguments and regions.
constexpr plan_sizes measure_below(const node_spec& tree) {
    plan_sizes size;
    const auto add = [&](const node_spec& from, int copies) {
        const plan_sizes child = measure_below(from);
        size.nodes += copies * child.nodes;
        size.accesses += copies * child.accesses;
        size.arguments += copies * child.arguments;
        size.regions += copies * child.regions;
        size.variables += child.variables;
        size.hidden += copies * child.hidden;
        size.codes += child.codes;
        size.kept_values += child.kept_values;
        size.leaves += child.leaves;
        size.visible += copies * child.visible;
    };
    for (int i = 0; i < tree.child_count; ++i) {
        const node_spec& child = *tree.children[i];
        const int repeated = is_loop(tree.kind) ? repeated_children(child) : -1;
        if (tree.decided && i == 0)
            add(child, tree.kind == spec_kind::loop_while ? 2 : 1);
        else if (repeated < 0)
            add(child, is_loop(tree.kind) ? tree.every : lowering_of(tree).further_iterations > 0 ? lowering_of(tree).further_iterations : 1);
        for (int j = 0; repeated >= 0 && j < child.child_count; ++j) add(*child.children[j], j < repeated ? tree.every : 1);
    }
    if (lowering_of(tree).are_left_out) return {.variables = size.variables, .kept_values = size.kept_values, .leaves = size.leaves};
    size.hidden += lowering_of(tree).further_iterations;
    if (is_group(tree)) return size;

    const int uses = tree.decided ? tree.argument_count > 0 : is_loop(tree.kind) ? 2 : 1;
    for (int i = 0; i < tree.argument_count; ++i) {
        const argument& a = tree.arguments[i];
        size.variables += likes_of(a.variable);
        size.hidden += uses * (is_hidden_memory(a.form) || a.form == argument_form::computed);
        size.kept_values += keeps_value(a);
        size.visible += a.variable != nullptr || a.form == argument_form::loop_around;
        size.accesses += uses * (a.variable != nullptr || a.form == argument_form::loop_around);
        for (int v = 0; a.value && v < a.value->variable_count; ++v) {
            size.variables += likes_of(a.value->variables[v]);
            size.visible += 1;
            size.accesses += uses;
        }
    }
    size.variables += likes_of(tree.domain.variable);
    size.arguments += uses * tree.argument_count;
    size.leaves += tree.leaves;
    size.codes += uses;
    size.nodes += 1;
    if (tree.kind == spec_kind::work) {
        size.hidden += count_counters(tree);
        size.codes += tree.traits->decides;
        size.accesses += tree.traits->decides + 2 * lowering_of(tree).of_further_iteration;
    }
    if (tree.kind != spec_kind::work) {
        size.nodes += uses;
        size.regions += tree.child_count - tree.decided;
        size.hidden += 1;
        size.visible += 1;
        size.accesses += uses + size.visible;
    }
    return size;
}

constexpr plan_sizes measure(const node_spec& tree) {
    plan_sizes size = measure_below(tree);
    size.regions += 1;
    size.edges = 2 * (size.accesses + size.nodes);  // no access and no node is waited for, or waits for a write, twice
    return size;
}

}  // namespace cograph::core
