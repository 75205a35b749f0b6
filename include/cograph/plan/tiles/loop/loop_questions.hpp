// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/node_spec.hpp>
#include <cograph/plan/persistent/loop/shape.hpp>
#include <cograph/plan/persistent/register_copies.hpp>
#include <cograph/plan/tables/measure.hpp>

namespace cograph::core {

// Questions about the nodes of a loop that may have tiles.

constexpr bool has_reductions(const node_spec& tree) {
    bool found = tree.kind == spec_kind::work && tree.traits->reduces;
    for (int i = 0; i < tree.child_count && !found; ++i) found = has_reductions(*tree.children[i]);
    return found;
}
constexpr int count_nodes_with_neighbours(const node_spec& tree) {
    int count = tree.kind == spec_kind::work && sees_neighbours(tree);
    for (int i = 0; i < tree.child_count; ++i) count += count_nodes_with_neighbours(*tree.children[i]);
    return count;
}
// Whether it reads neighbours, and reduces nothing.
constexpr bool is_plain_step(const node_spec& tree) { return sees_neighbours(tree) && !has_reductions(tree); }
// Whether it runs several such steps one after another: a loop in it does, or its body between two tests.
constexpr bool runs_several_steps(const node_spec& tree) {
    if (is_loop(tree.kind) && tree.every > 1 && repeated_children(*tree.children[0]) == 1 && is_plain_step(*tree.children[0]->children[0])) return true;
    bool found = false;
    for (int i = 0; i < tree.child_count && !found; ++i) {
        const node_spec& child = *tree.children[i];
        found = is_loop(child.kind) ? is_plain_step(child) : runs_several_steps(child);
    }
    return found;
}
// Whether each loop in it that reduces runs several steps before. If each iteration reduced, blocks would compute elements of others in vain.
constexpr bool reduces_rarely(const node_spec& tree) {
    bool rarely = !is_loop(tree.kind) || !has_reductions(tree) || runs_several_steps(tree);
    for (int i = 0; i < tree.child_count && rarely; ++i) rarely = reduces_rarely(*tree.children[i]);
    return rarely;
}
// Whether a node writes all elements of the box by an argument, and reads none. The variable may have more elements.
constexpr bool overwrites_box(const node_spec& tree, const argument& a) { return a.each && writes(a.access) && !reads(a.access) && !tree.traits->writes_partly; }
// What happens to a variable first. The body of a loop or a branch is perhaps not run.
constexpr first_use first_use_in(const variable_info* v, const node_spec& tree) {
    first_use found = first_use::none;
    for (int i = 0; i < tree.argument_count; ++i) {
        const argument& a = tree.arguments[i];
        if (a.variable == v && a.access != access_mode::none) found = overwrites_box(tree, a) && found != first_use::reads ? first_use::overwrites : first_use::reads;
    }
    for (int i = 0; i < tree.child_count && found == first_use::none; ++i) {
        const first_use below = first_use_in(v, *tree.children[i]);
        if (below == first_use::reads || is_group(tree)) found = below;
    }
    return found;
}
// How many arguments are a variable.
constexpr int count_uses(const node_spec& tree, const variable_info* v) {
    int count = 0;
    for (int i = 0; i < tree.argument_count; ++i) count += tree.arguments[i].variable == v;
    for (int i = 0; i < tree.child_count; ++i) count += count_uses(*tree.children[i], v);
    return count;
}

}  // namespace cograph::core
