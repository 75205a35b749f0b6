// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/copy.hpp>
#include <cograph/expr/control/groups.hpp>
#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/fusion/elementwise_fusion.hpp>

#include <cstdint>

namespace cograph::core {

// Temporal blocking: of four steps over a box, two go over memory once; over a box of two dimensions, four of eight. The steps alternate: the first, the
// third and so on read a variable W around each element and write V, the others read V and write W. A kernel takes the first half of them, and writes W of
// then to memory that only the lowered expression has; it keeps all else on chip, which later steps write anew. Another takes the second half, and may join
// a reduction (joins_node). This is done only if no loop is one kernel: it pays if the box fits in no cache.

// The argument by which a node writes elements, if it writes nothing else; -1: it does not.
constexpr int only_written(const node_spec& node) {
    int found = -1;
    for (int i = 0; i < node.argument_count; ++i) {
        const argument& a = node.arguments[i];
        if (is_hidden_memory(a.form) || a.form == argument_form::counter || a.form == argument_form::loop_around) return -1;
        if (!a.variable || !writes(a.access)) continue;
        if (found >= 0 || !a.each || a.access != access_mode::write || a.variable->size > most_number_bytes) return -1;
        found = i;
    }
    return found;
}
// The argument by which a node reads a variable around its element, if it uses that for nothing else; -1: it does not.
constexpr int only_read_near(const node_spec& node, const variable_info* variable) {
    int found = -1;
    for (int i = 0; i < node.argument_count; ++i) {
        const argument& a = node.arguments[i];
        if (a.variable != variable || !variable) continue;
        if (found >= 0 || !a.near) return -1;
        for (const int radius : a.near->along)
            if (radius > 1) return -1;
        found = i;
    }
    return found;
}
// Whether a node is a step from one variable to another.
constexpr bool is_step(const node_spec& node, const variable_info* from, const variable_info* to) {
    const bool has_rows = node.kind == spec_kind::work && node.traits->is_elementwise() && node.traits->box_rank == 2 && node.traits->every == 1;
    if ((!has_rows && !takes_few_planes(node)) || !from->is_number || !to->is_number) return false;
    const int written = only_written(node);
    if (written < 0 || node.arguments[written].variable != to || only_read_near(node, from) < 0) return false;
    for (int i = 0; i < node.argument_count; ++i)
        if (i != written && node.arguments[i].variable == to) return false;
    return true;
}
constexpr const variable_info* written_by_step(const node_spec& node) {
    const int written = node.kind == spec_kind::work ? only_written(node) : -1;
    return written < 0 ? nullptr : node.arguments[written].variable;
}

// Whether that many steps are two passes, and have a reduction after them that joins the second one. The nodes are those of an iteration: steps take them
// again from the first one on. A run finds out whether boxes of numbers are equal (has_equal_boxes).
struct steps_after_steps {
    bool are_passes = false, have_result = false;
};
constexpr steps_after_steps steps_in_passes(const node_spec* const* nodes, int count, int steps, int of_iteration) {
    const variable_info *const between = written_by_step(*nodes[0]), *const last = written_by_step(*nodes[1]);
    if (!between || !last || between == last) return {};
    int arguments = 0;
    unsigned bytes = 0;
    for (int i = 0; i < of_iteration; ++i) {
        if (!is_step(*nodes[i], i % 2 == 0 ? last : between, i % 2 == 0 ? between : last) || !have_same_box(*nodes[0], *nodes[i], graph_for::many_in_equal_boxes)) return {};
        arguments += nodes[i]->argument_count;
        bytes += own_parameter_bytes(*nodes[i]);
    }
    bool has_result = count > of_iteration && joins_node(*nodes[of_iteration - 1], *nodes[of_iteration], graph_for::many_in_equal_boxes);
    for (int i = of_iteration < steps ? 0 : steps / 2; has_result && i < of_iteration; ++i) has_result = !conflict(*nodes[i], *nodes[of_iteration]);
    if (has_result) {
        arguments += nodes[of_iteration]->argument_count;
        bytes += own_parameter_bytes(*nodes[of_iteration]);
    }
    return {arguments <= most_fused_arguments && bytes <= most_shared_parameter_bytes, has_result};
}
// The number of nodes if that many steps begin here, perhaps with the reduction after them; or 0.
constexpr int nodes_in_passes(const node_spec* const* nodes, int first, int count, int steps) {
    if (count - first < steps) return 0;
    const steps_after_steps found = steps_in_passes(nodes + first, count - first, steps, steps);
    return found.are_passes ? steps + found.have_result : 0;
}
// How many nodes from one on become two kernels, or 0.
constexpr int nodes_in_passes(const node_spec* const* nodes, int first, int count) {
    if (nodes[first]->traits->box_rank == 2)
        if (const int of_eight = nodes_in_passes(nodes, first, count, 8); of_eight != 0) return of_eight;
    return nodes_in_passes(nodes, first, count, 4);
}

// Input: the nodes of a sequence, and the graph. Output: the first node of each group, and one more; whether it becomes passes.
template <int Nodes>
struct fused_groups {
    int first[Nodes + 2]{};
    bool passes[Nodes + 1]{};
    int count = 0;

    constexpr explicit fused_groups(const node_spec* const* nodes, graph_for graph = graph_for::few_elements) {
        for (int i = 0; i < Nodes;) {
            const int in_passes = graph == graph_for::many_elements ? nodes_in_passes(nodes, i, Nodes) : 0;
            passes[count] = in_passes > 0;
            first[count++] = i;
            if (in_passes > 0) {
                i += in_passes;
                continue;
            }
            do ++i;
            while (i < Nodes && joins_group(nodes, first[count - 1], i, graph) && (graph != graph_for::many_elements || nodes_in_passes(nodes, i, Nodes) == 0));
        }
        first[count] = Nodes;
    }
};
constexpr bool has_fused(const node_spec& tree, graph_for graph = graph_for::few_elements) {
    for (int i = 1; tree.kind == spec_kind::sequence && i < tree.child_count; ++i)
        if (joins_group(tree.children, i - 1, i, graph) || (graph == graph_for::many_elements && nodes_in_passes(tree.children, i - 1, tree.child_count) > 0)) return true;
    return false;
}

// Many loops have two such nodes in an iteration. Several iterations then share passes, and those that are left are as elsewhere. Behind the two nodes may be
// a reduction whose results no one needs before the last iteration.
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
    bool uses_one = false;  // others wait for all nodes
    for (int i = 0; i < node.argument_count; ++i) {
        const argument& a = node.arguments[i];
        if (is_hidden_memory(a.form) || a.form == argument_form::counter || a.form == argument_form::loop_around) return false;
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
// How many iterations of a loop share two passes; 0: none do. The loop counts, or has its test after several iterations. Behind steps in passes, a copy is still to be made:
// it takes another iteration.
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
    return counts || loop.every >= most + copies ? most : loop.every >= least + copies ? least : 0;
}

// The bytes of the smallest element that steps in passes write; 0 if there are no such steps.
constexpr unsigned bytes_in_passes(const node_spec& tree) {
    if (iterations_in_passes(tree) > 0) return written_by_step(*iteration_of(tree).children[0])->size;
    unsigned least = 0;
    for (int i = 0; i < tree.child_count && !tree.as_nodes; ++i) {
        const bool begins = tree.kind == spec_kind::sequence && nodes_in_passes(tree.children, i, tree.child_count) > 0;
        const unsigned bytes = begins ? written_by_step(*tree.children[i])->size : bytes_in_passes(*tree.children[i]);
        if (bytes != 0 && (least == 0 || bytes < least)) least = bytes;
    }
    return least;
}
constexpr bool has_passes(const node_spec& tree) { return bytes_in_passes(tree) != 0; }
// How many bytes an array has at most with which a loop is not in passes. Measured on an H100, whose second-level cache has 50 MB. Of a step and a copy over two dimensions, a
// kernel with a part on chip has no more to do than of a step alone, and the iterations that are left over take longer.
constexpr std::int64_t most_bytes_without_passes(const node_spec& tree) {
    if (iterations_in_passes(tree) > 0 && is_step_and_copy(iteration_of(tree)) && iteration_of(tree).children[0]->traits->box_rank == 2) return std::int64_t{56} << 20;
    std::int64_t most = std::int64_t{48} << 20;
    for (int i = 0; i < tree.child_count; ++i)
        if (const std::int64_t below = most_bytes_without_passes(*tree.children[i]); below > most) most = below;
    return most;
}

}  // namespace cograph::core
