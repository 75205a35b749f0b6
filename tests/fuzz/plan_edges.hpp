// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan_model.hpp"
#include "plan_run.hpp"

#include <bitset>

namespace plan_fuzz {

// What is wrong with the edges of one region: they must be the transitive reduction of the order that
// conflicts ask for.
inline std::string wrong_edges(const run_time_plan& plan, const std::vector<int>& nodes,
                               const std::vector<model_row>& expected) {
    using set = std::bitset<1024>;
    const std::size_t n = nodes.size();
    const auto name = [&](std::size_t i) { return std::to_string(nodes[i]); };
    std::vector<set> after(n), wanted(n), reached(n);
    for (std::size_t b = 0; b < n; ++b) {
        const plan_node& r = plan.nodes.data()[nodes[b]];
        for (int e = r.first_edge; e < r.first_edge + r.edge_count; ++e) {
            std::size_t a = 0;
            while (a < b && (e >= plan.count.edges || nodes[a] != plan.edges.data()[e])) ++a;
            if (a == b) return "an edge into node " + name(b) + " comes from no earlier node of its region";
            if (after[a][b]) return "an edge into node " + name(b) + " is there twice";
            after[a][b] = true;
        }
    }

    for (std::size_t a = n; a-- > 0;) {
        for (std::size_t b = a + 1; b < n; ++b) {
            if (expected[a].conflicts(expected[b])) wanted[a] |= wanted[b], wanted[a][b] = true;
            if (after[a][b]) reached[a] |= reached[b], reached[a][b] = true;
        }
    }

    for (std::size_t a = 0; a < n; ++a) {
        set detours;
        for (std::size_t b = a + 1; b < n; ++b)
            if (after[a][b]) detours |= reached[b];
        for (std::size_t b = a + 1; b < n; ++b) {
            const auto pair = [&] { return "nodes " + name(a) + " and " + name(b); };
            if (expected[a].conflicts(expected[b]) && !reached[a][b])
                return pair() + " conflict, and no path orders them";
            if (after[a][b] && !wanted[a][b]) return pair() + " are ordered for no reason";
            if (after[a][b] && detours[b])
                return pair() + " are ordered: the edge between them can be dropped";
        }
    }
    return {};
}

}  // namespace plan_fuzz
