// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/control.hpp>
#include <cograph/expr/control/order.hpp>
#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/plan/persistent/barriers.hpp>
#include <cograph/plan/persistent/loop/parameters.hpp>

namespace cograph::core {

// Neighbours in a sequence that run over the elements of one extent are one kernel, if each touches only its own element of
// all variables that one of them writes and another uses. One thread runs them for an element, in order. All temps of a kernel are in use
// at once, so one of them uses all that the others do: fusing takes no memory.

// The graphs that instantiate may make of an expression.
enum class graph_for : unsigned char {
    few_elements,         // loops are one kernel each
    many_elements,        // no loop is one kernel, and reductions join nodes over the same box; if it fits in no cache, steps share passes over it
    many_in_caches,       // the same without such passes
    many_in_equal_boxes   // that if boxes of numbers are equal
};

constexpr int most_fused_nodes = 8, most_fused_arguments = 96;

// The variable whose extent a node runs over that may be fused; null for any other.
constexpr const variable_info* fused_extent(const node_spec& node) {
    if (node.kind != spec_kind::work || !node.traits->is_elementwise()) return nullptr;
    return extent_source(node.arguments[0].variable);
}

constexpr bool is_temp(const argument& a) { return a.variable && a.access != access_mode::none && a.variable->kind == variable_kind::temp; }
constexpr bool has_temps_of(const node_spec& node, const node_spec& other) {
    for (int i = 0; i < other.argument_count; ++i) {
        bool found = !is_temp(other.arguments[i]);
        for (int j = 0; j < node.argument_count && !found; ++j)
            found = is_temp(node.arguments[j]) && node.arguments[j].variable == other.arguments[i].variable;
        if (!found) return false;
    }
    return true;
}

// Whether a node may join those in [first, node).
constexpr bool is_fused(const node_spec* const* nodes, int first, int node) {
    const variable_info* const extent = fused_extent(*nodes[node]);
    if (!extent || node - first == most_fused_nodes) return false;
    int arguments = 0;
    unsigned bytes = 0;
    bool one_has_all_temps = false;
    for (int i = first; i <= node; ++i) {
        if (i < node && (extent != fused_extent(*nodes[i]) || conflict(*nodes[i], *nodes[node]))) return false;
        arguments += nodes[i]->argument_count;
        bytes += own_parameter_bytes(*nodes[i]);
        bool has_all = !one_has_all_temps;
        for (int j = first; j <= node && has_all; ++j) has_all = has_temps_of(*nodes[i], *nodes[j]);
        one_has_all_temps = one_has_all_temps || has_all;
    }
    return one_has_all_temps && arguments <= most_fused_arguments && bytes <= most_shared_parameter_bytes;
}

// Whether two nodes have the same box, as their types say: its variable, or the constants that are its sides. Numbers that a
// shape keeps may be equal.
constexpr bool have_same_box(const node_spec& a, const node_spec& b, graph_for graph) {
    const variable_info *const extent = extent_source(a.arguments[0].variable), *const other = extent_source(b.arguments[0].variable);
    if (extent || other) return extent == other;
    if (a.traits->box_rank != b.traits->box_rank) return false;
    for (int d = 0; d < a.traits->box_rank; ++d) {
        const argument &side = a.arguments[a.traits->first_side + d], &side_of_b = b.arguments[b.traits->first_side + d];
        const bool are_constants = side.form == argument_form::stateless && side_of_b.form == argument_form::stateless;
        if (are_constants ? side.constant != side_of_b.constant : graph != graph_for::many_in_equal_boxes) return false;
    }
    return true;
}
// Whether there are boxes of numbers that shapes keep.
constexpr bool has_boxes_of_numbers(const node_spec& tree) {
    for (int d = 0; tree.kind == spec_kind::work && d < tree.traits->box_rank; ++d)
        if (keeps_value(tree.arguments[tree.traits->first_side + d])) return true;
    for (int i = 0; i < tree.child_count; ++i)
        if (has_boxes_of_numbers(*tree.children[i])) return true;
    return false;
}

// Whether threads of a node have a few planes of a box of three dimensions each.
constexpr bool takes_few_planes(const node_spec& node) {
    return node.kind == spec_kind::work && node.traits->is_elementwise() && node.traits->box_rank == 3 && node.elements_a_thread == few_planes;
}
// Whether a reduction over a box may join a node over it. It then needs no memory for elements that its thread has read or written.
constexpr bool joins_node(const node_spec& node, const node_spec& reduction, graph_for graph) {
    if (reduction.kind != spec_kind::work || !reduction.traits->reduces || reduction.traits->box_rank != node.traits->box_rank || reduction.traits->every != 1) return false;
    if (!have_same_box(node, reduction, graph) || conflict(node, reduction)) return false;
    for (int i = 0; i < reduction.argument_count; ++i) {
        if (reduction.arguments[i].near || writes_memory(reduction.arguments[i])) return false;  // a term may be computed twice
    }
    return (has_temps_of(node, reduction) || has_temps_of(reduction, node)) && node.argument_count + reduction.argument_count <= most_fused_arguments &&
           own_parameter_bytes(node) + own_parameter_bytes(reduction) <= most_shared_parameter_bytes;
}
// Whether it joins the node before it, whose threads have a few planes each. This is done only if no loop is one kernel: elsewhere, a reduction leads the
// kernel of later nodes.
constexpr bool joins_planes(const node_spec& node, const node_spec& reduction, graph_for graph) {
    return graph != graph_for::few_elements && takes_few_planes(node) && joins_node(node, reduction, graph);
}

// Whether a node joins the kernel of the nodes before it, from `first` on.
constexpr bool joins_group(const node_spec* const* nodes, int first, int node, graph_for graph) {
    return is_fused(nodes, first, node) || (first == node - 1 && joins_planes(*nodes[first], *nodes[node], graph));
}

// Whether reductions join nodes if boxes of numbers are equal.
constexpr bool asks_for_equal_boxes(const node_spec& tree) {
    if (tree.as_nodes) return false;
    for (int i = 0; i < tree.child_count; ++i) {
        if (tree.kind == spec_kind::sequence && i > 0 && joins_planes(*tree.children[i - 1], *tree.children[i], graph_for::many_in_equal_boxes) &&
            !joins_planes(*tree.children[i - 1], *tree.children[i], graph_for::many_elements))
            return true;
        if (asks_for_equal_boxes(*tree.children[i])) return true;
    }
    return false;
}

// The work of one of them on Count of the kernel's parameters, from First on.
template <class Stage, int First, int Count>
struct fused_step {
    using stage = Stage;
    static constexpr int first = First;
    static constexpr int count = Count;
};
template <class Steps, class... P>
struct fused_code {};

template <class Steps, class Parameters, class... Node>
struct fuse_codes;
template <class... Step, class... P>
struct fuse_codes<list<Step...>, list<std::type_identity<P>...>> {
    using type = list<fused_code<list<Step...>, plain<P>...>>;
};
template <class... Step, class... P, class Stage, class... Q, class... Code>
struct fuse_codes<list<Step...>, list<std::type_identity<P>...>, list<stage_code<Stage, Q...>>, Code...>
    : fuse_codes<list<Step..., fused_step<Stage, sizeof...(P), sizeof...(Q)>>, list<std::type_identity<P>..., std::type_identity<Q>...>, Code...> {};

// Fused once, it is fused no more.
inline constexpr node_traits fused_traits{.rule = "per_element", .size = &size_over_elements, .takes_shape = true, .counts_elements = true};

template <class... Node>
struct fused_node {
    using self = fused_node;
    using children = list<>;
    using codes = typename fuse_codes<list<>, list<>, typename Node::codes...>::type;
    using kept_type = kept_pieces<typename Node::kept_type...>;
    using nodes = family<Node...>;
    static constexpr int leaves = sizeof...(Node);

    // Each node's first is its count; offsets of own counts are to its record.
    template <class... A>
    struct argument_table {
        argument all[sizeof...(A) + 1] = {A::describe..., {argument_form::kept_value}};
        lowered_argument lowered[sizeof...(A) + 1]{};
        constexpr argument_table() {
            argument* to = all;
            lowered_argument* of = lowered;
            for (int node = 0; node < leaves; ++node)
                for (int i = 0; i < nodes::trees[node]->argument_count; ++i, ++to) {
                    *of++ = {nodes::trees[node]->traits, i == 0};
                    if (to->form == argument_form::count) to->size = static_cast<unsigned>(node);
                }
        }
    };
    template <class... A>
    static argument_table<A...> table_of(list<A...>);
    static constexpr decltype(table_of((typename Node::arguments{} + ...))) table{};
    static constexpr lowered_node as_fused{.parts = nodes::trees, .arguments = table.lowered};
    static constexpr node_spec tree{.kind = spec_kind::work,
                               .name = nodes::trees[0]->name,
                               .traits = &fused_traits,
                               .arguments = table.all,
                               .argument_count = (Node::tree.argument_count + ...),
                               .leaves = leaves,
                               .domain = nodes::trees[0]->domain,
                               .lowered = &as_fused};
};

}  // namespace cograph::core
