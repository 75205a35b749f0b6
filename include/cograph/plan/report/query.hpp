// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/refused/query.hpp>
#include <cograph/plan/tables/plan.hpp>

namespace cograph::core {

// Questions about the plan of an expression; each can be asked in a static_assert.

// The nodes of the graph with those in its bodies: kernels, the kernels that set conditions, loops and branches.
template <expression E>
constexpr int node_count(const E&) {
    return plan_of<typename E::self>::view.count.nodes;
}
template <expression E>
constexpr int edge_count(const E&) {
    return plan_of<typename E::self>::view.count.edges;
}
// The graph itself and every body.
template <expression E>
constexpr int region_count(const E&) {
    return plan_of<typename E::self>::view.count.regions;
}

// How deep bodies are nested; 0 without loops and branches.
template <expression E>
constexpr int nesting_depth(const E&) {
    const plan_view& p = plan_of<typename E::self>::view;
    int deepest = 0;
    for (int r = 0; r < p.count.regions; ++r) {
        int depth = 0;
        for (int at = r; p.regions[at].owner >= 0; at = p.nodes[p.regions[at].owner].region) ++depth;
        if (depth > deepest) deepest = depth;
    }
    return deepest;
}

// The level of each node of a region: one more than the highest that it waits for.
template <int Rows>
struct node_levels {
    int of[Rows + 1]{};
    int depth = 0;
    constexpr node_levels(const plan_view& p, int region) {
        for (int r = p.regions[region].first_node; r >= 0; r = p.nodes[r].next) {
            of[r] = 1;
            for (int e = p.nodes[r].first_edge; e < p.nodes[r].first_edge + p.nodes[r].edge_count; ++e)
                if (of[p.edges[e]] >= of[r]) of[r] = of[p.edges[e]] + 1;
            if (of[r] > depth) depth = of[r];
        }
    }
};

// The nodes on the longest path of a region; region 0 is the graph itself, bodies are numbered in program order.
template <expression E>
constexpr int graph_depth(const E&, int region = 0) {
    using plan = plan_of<typename E::self>;
    return node_levels<plan::size.nodes>(plan::view, region).depth;
}

// The most nodes on one level of a region.
template <expression E>
constexpr int graph_width(const E&, int region = 0) {
    using plan = plan_of<typename E::self>;
    const node_levels<plan::size.nodes> levels(plan::view, region);
    int on[plan::size.nodes + 2]{};
    int widest = 0;
    for (int r = plan::view.regions[region].first_node; r >= 0; r = plan::view.nodes[r].next)
        if (++on[levels.of[r]] > widest) widest = on[levels.of[r]];
    return widest;
}

constexpr const planned_variable* find_variable(const plan_view& p, const variable_info* info) {
    for (int v = 0; v < p.count.named; ++v)
        if (p.variables[v].info == info) return &p.variables[v];
    return nullptr;
}

// Whether an expression uses a variable, be it for the size of a temp alone.
template <class E, class V>
inline constexpr bool knows_variable = find_variable(plan_of<typename E::self>::view, &info_of<V>) != nullptr;

template <class E, class V>
constexpr planned_variable planned() {
    const planned_variable* found = find_variable(plan_of<typename E::self>::view, &info_of<typename V::tag>);
    return found ? *found : planned_variable{};
}

template <expression E, variable... V>
constexpr bool reads(const E&, V...) {
    return (planned<E, V>().read && ...);
}
template <expression E, variable... V>
constexpr bool writes(const E&, V...) {
    return (planned<E, V>().written && ...);
}
// Read on some path before the expression writes it: its value before the launch matters.
template <expression E, variable V>
constexpr bool is_input(const E&, V) {
    return planned<E, V>().read_first;
}
// Written, and visible after the launch.
template <expression E, variable V>
constexpr bool is_output(const E&, V) {
    return planned<E, V>().written && V::kind != variable_kind::temp;
}
// An input that the launch overwrites.
template <expression E, variable V>
constexpr bool is_mutated(const E&, V) {
    return planned<E, V>().read_first && planned<E, V>().written;
}

}  // namespace cograph::core
