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
    if (!has_rows && !takes_few_planes(node)) return false;
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

// The number of nodes if that many steps begin here, perhaps with the reduction after them; or 0.
constexpr int nodes_in_passes(const node_spec* const* nodes, int first, int count, int steps_of_passes) {
    if (count - first < steps_of_passes) return 0;
    const node_spec* const* const steps = nodes + first;
    const variable_info *const between = written_by_step(*steps[0]), *const last = written_by_step(*steps[1]);
    if (!between || !last || between == last) return 0;
    int arguments = 0;
    unsigned bytes = 0;
    for (int i = 0; i < steps_of_passes; ++i) {
        if (!is_step(*steps[i], i % 2 == 0 ? last : between, i % 2 == 0 ? between : last) || !have_same_box(*steps[0], *steps[i], graph_for::many_elements)) return 0;
        arguments += steps[i]->argument_count;
        bytes += own_parameter_bytes(*steps[i]);
    }
    bool has_result = count - first > steps_of_passes && joins_node(*steps[steps_of_passes - 1], *steps[steps_of_passes], graph_for::many_elements);
    for (int i = steps_of_passes / 2; has_result && i < steps_of_passes; ++i) has_result = !conflict(*steps[i], *steps[steps_of_passes]);
    if (has_result) {
        arguments += steps[steps_of_passes]->argument_count;
        bytes += own_parameter_bytes(*steps[steps_of_passes]);
    }
    return arguments > most_fused_arguments || bytes > most_shared_parameter_bytes ? 0 : steps_of_passes + has_result;
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
// The bytes of the smallest element that steps in passes write; 0 if there are no such steps.
constexpr unsigned bytes_in_passes(const node_spec& tree) {
    unsigned least = 0;
    for (int i = 0; i < tree.child_count && !tree.as_nodes; ++i) {
        const bool begins = tree.kind == spec_kind::sequence && nodes_in_passes(tree.children, i, tree.child_count) > 0;
        const unsigned bytes = begins ? written_by_step(*tree.children[i])->size : bytes_in_passes(*tree.children[i]);
        if (bytes != 0 && (least == 0 || bytes < least)) least = bytes;
    }
    return least;
}
constexpr bool has_passes(const node_spec& tree) { return bytes_in_passes(tree) != 0; }

}  // namespace cograph::core
