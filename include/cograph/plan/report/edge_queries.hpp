// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/refused/selector.hpp>

namespace cograph::core {

// Questions about two nodes of an expression.

// Whether the plan keeps an edge between two nodes.
template <expression E, class From, class To>
    requires selectable<E, From, To>
constexpr bool has_edge(const E&, From, To) {
    const plan_view& p = plan_of<typename E::self>::view;
    const plan_node& to = p.nodes[select<typename E::self, To>().node];
    for (int e = to.first_edge; e < to.first_edge + to.edge_count; ++e)
        if (p.edges[e] == select<typename E::self, From>().node) return true;
    return false;
}

// Whether edges lead from one node to another of the same region.
template <expression E, class From, class To>
    requires selectable<E, From, To>
constexpr bool ordered(const E&, From, To) {
    using plan = plan_of<typename E::self>;
    const int from = select<typename E::self, From>().node;
    const int to = select<typename E::self, To>().node;
    bool behind[plan::size.nodes + 1]{};
    behind[from] = true;
    for (int r = plan::view.nodes[from].next; r >= 0; r = plan::view.nodes[r].next)
        for (int e = plan::view.nodes[r].first_edge; e < plan::view.nodes[r].first_edge + plan::view.nodes[r].edge_count; ++e)
            behind[r] = behind[r] || behind[plan::view.edges[e]];
    return from != to && behind[to];
}

}  // namespace cograph::core
