// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/groups.hpp>
#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/fusion/elementwise_fusion.hpp>

namespace cograph::core {

// Temporal blocking: of four steps over a box, two go over memory once; over a box of two dimensions, four of eight. The steps alternate: the first, the
// third and so on read a variable W around each element and write V, the others read V and write W. A kernel takes the first half of them, and writes W of
// then to memory that only the lowered expression has; it keeps all else on chip, which later steps write anew. Another takes the second half, and may join
// a reduction (joins_node). This is done only if no loop is one kernel: it pays if the box fits in no cache.

// Whether the plan gives a node working memory by this argument, or the state of a loop.
constexpr bool is_from_plan(const argument& a) { return is_hidden_memory(a.form) || a.form == argument_form::counter || a.form == argument_form::loop_around; }
// The argument by which a node writes elements, if it writes nothing else; -1: it does not.
constexpr int only_written(const node_spec& node) {
    int found = -1;
    for (int i = 0; i < node.argument_count; ++i) {
        const argument& a = node.arguments[i];
        if (is_from_plan(a)) return -1;
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

}  // namespace cograph::core
