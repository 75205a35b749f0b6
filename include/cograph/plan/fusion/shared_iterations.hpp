// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/copy.hpp>
#include <cograph/plan/fusion/steps_of_passes.hpp>

namespace cograph::core {

// Many loops have two steps in an iteration, or a step and a copy. Several iterations then share passes, and those that are left are as elsewhere. Behind the steps
// may be a reduction whose results no one needs before the last iteration, and nodes of scalars.
constexpr int uses(const node_spec& node, const variable_info* variable) {
    int count = 0;
    for (int i = 0; i < node.argument_count; ++i) count += node.arguments[i].variable == variable;
    return count;
}
constexpr bool is_needed_last(const node_spec& reduction, const node_spec& first, const node_spec& second) {
    if (reduction.kind != spec_kind::work || !reduction.traits->reduces) return false;
    for (int i = 0; i < reduction.argument_count; ++i) {
        const argument& a = reduction.arguments[i];
        if (!reaches_memory(a) || !writes(a.access)) continue;
        if (a.access != access_mode::write || a.variable->kind != variable_kind::scalar || uses(first, a.variable) + uses(second, a.variable) + uses(reduction, a.variable) > 1) return false;
    }
    return true;
}
// Whether a loop needs the results to count.
constexpr bool counts_by_results(const node_spec& loop, const node_spec& reduction) {
    for (int i = 0; i < loop.argument_count; ++i)
        if (loop.arguments[i].variable && uses(reduction, loop.arguments[i].variable) > 0) return true;
    return false;
}
// The nodes of an iteration, without passes over arrays for the predicate.
constexpr const node_spec& iteration_of(const node_spec& loop) {
    const node_spec& body = *loop.children[0];
    return repeated_children(body) == 1 ? *body.children[0] : body;
}
// Whether a node uses scalars and nothing else, in one thread.
constexpr bool is_of_scalars(const node_spec& node) {
    if (node.kind != spec_kind::work || !node.traits->is_stage || !node.traits->one_thread) return false;
    bool uses_one = false;  // a node that uses no memory waits for all others
    for (int i = 0; i < node.argument_count; ++i) {
        const argument& a = node.arguments[i];
        if (is_from_plan(a)) return false;
        if (!reaches_memory(a)) continue;
        if (a.variable->kind != variable_kind::scalar) return false;
        uses_one = true;
    }
    return uses_one;
}
// The nodes of an iteration without those of scalars at its end.
constexpr int count_steps(const node_spec& nodes) {
    int count = nodes.child_count;
    while (count > 0 && is_of_scalars(*nodes.children[count - 1])) --count;
    return count;
}
// Whether those may run after several iterations, as often: neither the steps nor the count of the loop depend on them, and they not on the steps.
constexpr bool may_run_later(const node_spec& loop, const node_spec& nodes, int steps) {
    for (int scalar = steps; scalar < nodes.child_count; ++scalar) {
        if (loop.kind == spec_kind::repeat && conflict(loop, *nodes.children[scalar])) return false;
        for (int step = 0; step < steps; ++step)
            if (conflict(*nodes.children[step], *nodes.children[scalar])) return false;
    }
    return true;
}
// Whether an iteration is a step from W to V and a copy back, perhaps with a reduction between them. With W in place of V and V in place of W, the same node is a
// step back.
constexpr bool is_step_and_copy(const node_spec& nodes) {
    const node_spec &step = *nodes.children[0], &copying = *nodes.children[count_steps(nodes) - 1];
    const variable_info* const to = written_by_step(step);
    if (!to || copying.kind != spec_kind::work || copying.traits != &copy_elements::traits) return false;
    const variable_info *from = nullptr, *copied = nullptr;
    for (int i = 0; i < copying.argument_count; ++i) {
        const argument& a = copying.arguments[i];
        if (!a.variable || a.form != argument_form::pointer) continue;
        (writes(a.access) ? from : copied) = a.variable;
    }
    const unsigned bytes = 2 * own_parameter_bytes(step);
    return from && copied == to && is_step(step, from, to) && 2 * step.argument_count <= most_fused_arguments && bytes <= most_shared_parameter_bytes;
}
// Whether a reduction between a step and a copy may find the elements of either array in the other one. It may if it is over the box of the step, and uses its elements alone.
constexpr bool turns_with_arrays(const node_spec& nodes) {
    const node_spec &step = *nodes.children[0], &reduction = *nodes.children[1], &copying = *nodes.children[count_steps(nodes) - 1];
    if (&reduction == &copying) return true;
    if (!have_same_box(step, reduction, graph_for::many_elements)) return false;
    for (int i = 0; i < reduction.argument_count; ++i) {
        const argument& a = reduction.arguments[i];
        if (a.form == argument_form::pointer && uses(copying, a.variable) > 0 && !a.each && !a.near) return false;
    }
    return true;
}
// How many iterations of a loop share two passes; 0: none do. The loop counts, or has its test after several iterations. Behind steps in passes, a copy is still to be made:
// it may take another iteration.
constexpr int iterations_in_passes(const node_spec& loop) {
    if (!is_loop(loop.kind) || loop.as_nodes || loop.decided || (loop.kind != spec_kind::repeat && loop.every == 1)) return 0;
    const node_spec& nodes = iteration_of(loop);
    const bool counts = loop.kind == spec_kind::repeat, has_passes = &nodes != loop.children[0];
    if (nodes.kind != spec_kind::sequence || nodes.as_nodes || nodes.host_driven || (counts && has_passes)) return 0;
    const int steps = count_steps(nodes);
    if (steps < 2 || steps > 3 || !may_run_later(loop, nodes, steps)) return 0;
    const bool copies = is_step_and_copy(nodes), reduces = steps == 3;
    if (!copies && !steps_in_passes(nodes.children, steps, 4, 2).are_passes) return 0;
    const node_spec &second = *nodes.children[copies && reduces ? 2 : 1], &reduction = *nodes.children[copies && reduces ? 1 : steps - 1];
    if (reduces && (!is_needed_last(reduction, *nodes.children[0], second) || (counts && counts_by_results(loop, reduction)))) return 0;
    const int most = (nodes.children[0]->traits->box_rank == 2 ? 4 : 2) * (copies ? 2 : 1), least = copies ? 4 : 2;
    const int left = copies && !turns_with_arrays(nodes) ? 1 : 0;
    return counts || loop.every >= most + left ? most : loop.every >= least + left ? least : 0;
}

// When passes pay. Measured on an H100, whose second-level cache has 50 MB (bench/RESULTS.md). Over two dimensions, a kernel may keep a part on chip, where a copy costs nothing.
// Over three, single nodes are the other way where tiles do not fit, and the cache has to hold both of their arrays.
struct when_passes_pay {
    unsigned bytes = 0;        // of the smallest element that steps in passes write; 0: there are no such steps
    int mebibytes = 0;         // of an array, at most without them
    bool after_tiles = false;  // only where no tiles fit

    constexpr void add(when_passes_pay const& others) {
        if (others.bytes != 0 && (bytes == 0 || others.bytes < bytes)) bytes = others.bytes;
        if (others.mebibytes > mebibytes) mebibytes = others.mebibytes;
        after_tiles = after_tiles || others.after_tiles;
    }
};
constexpr when_passes_pay when_iterations_pay(const node_spec& nodes, int iterations) {
    const bool copies = is_step_and_copy(nodes);
    const unsigned bytes = written_by_step(*nodes.children[0])->size;
    if (nodes.children[0]->traits->box_rank == 3) return {bytes, copies ? 8 : 12, true};
    return {bytes, copies ? 56 : 48, copies && iterations == 4};
}
constexpr when_passes_pay when_all_pay(const node_spec& tree) {
    if (const int iterations = iterations_in_passes(tree); iterations > 0) return when_iterations_pay(iteration_of(tree), iterations);
    when_passes_pay all;
    for (int i = 0; i < tree.child_count && !tree.as_nodes; ++i) {
        const node_spec& child = *tree.children[i];
        if (tree.kind != spec_kind::sequence || nodes_in_passes(tree.children, i, tree.child_count) == 0)
            all.add(when_all_pay(child));
        else if (child.traits->box_rank == 3)
            all.add({written_by_step(child)->size, 24, true});
        else
            all.add({written_by_step(child)->size, 48, false});
    }
    return all;
}
constexpr bool has_passes(const node_spec& tree) { return when_all_pay(tree).bytes != 0; }

}  // namespace cograph::core
