// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tables/plan_node.hpp>

#include <cstdint>

namespace cograph::core {

// Working memory of order_nodes, one of each for: variables, variables, variables, accesses, accesses, nodes, nodes * words.
struct hazard_memory {
    int* stamp;
    int* last_write;
    int* readers;      // head of the list of those who read since the last write
    int* next_reader;  // by access
    int* reader_node;   // by access
    int* local;        // number of a node in its region
    std::uint64_t* reach;
    int words;  // of 64 nodes
};

// Keeps, of the nodes in [first, end) that node r waits for, those that no other of them already waits for; newest first.
// `reach` of r becomes all nodes before it. Cost: words per edge.
constexpr int reduce_edges(int* first, int count, int r, const hazard_memory& m) {
    for (int i = 1; i < count; ++i) {
        const int moved = first[i];
        int j = i;
        for (; j > 0 && first[j - 1] < moved; --j) first[j] = first[j - 1];
        first[j] = moved;
    }
    std::uint64_t* mine = m.reach + static_cast<std::ptrdiff_t>(r) * m.words;
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        const int from = m.local[first[i]];
        if (mine[from / 64] >> (from % 64) & 1) continue;
        const std::uint64_t* theirs = m.reach + static_cast<std::ptrdiff_t>(first[i]) * m.words;
        for (int w = 0; w <= from / 64; ++w) mine[w] |= theirs[w];
        mine[from / 64] |= std::uint64_t{1} << (from % 64);
        first[kept++] = first[i];
    }
    return kept;
}

// Derives the edges of every region from the accesses: read after write, write after each read, write after write. A
// node that declares no memory waits for all nodes before it, and all nodes after it wait for it. The edges are the
// fewest that order every such pair (the transitive reduction). Writes t.edges and each node's slice of them; returns
// their number.
constexpr int order_nodes(plan_tables t, const plan_counts& count, const hazard_memory& m) {
    int edges = 0;
    for (int i = 0; i < count.variables; ++i) m.stamp[i] = -1;
    for (int home = 0; home < count.regions; ++home) {
        int barrier = -1;
        int number = 0;
        for (int r = t.regions[home].first_node; r >= 0; r = t.nodes[r].next) {
            plan_node& here = t.nodes[r];
            m.local[r] = number++;
            here.first_edge = edges;
            const auto wait_for = [&](int other) {
                if (other >= 0 && other != r) t.edges[edges++] = other;
            };
            const int end = here.first_access + here.access_count;

            for (int a = here.first_access; a < end; ++a) {
                const int v = t.accesses[a].variable;
                if (m.stamp[v] != home) {
                    m.stamp[v] = home;
                    m.last_write[v] = m.readers[v] = -1;
                }
                wait_for(m.last_write[v]);
                if (!writes(t.accesses[a].how)) continue;
                for (int reader = m.readers[v]; reader >= 0; reader = m.next_reader[reader]) wait_for(m.reader_node[reader]);
                m.readers[v] = -1;
            }
            if (here.ordered_against_all)
                for (int other = barrier >= 0 ? barrier : t.regions[home].first_node; other != r; other = t.nodes[other].next)
                    wait_for(other);
            else
                wait_for(barrier);

            for (int a = here.first_access; a < end; ++a)
                if (writes(t.accesses[a].how)) m.last_write[t.accesses[a].variable] = r;
            for (int a = here.first_access; a < end; ++a) {
                const int v = t.accesses[a].variable;
                if (m.last_write[v] == r) continue;
                m.reader_node[a] = r;
                m.next_reader[a] = m.readers[v];
                m.readers[v] = a;
            }
            if (here.ordered_against_all) barrier = r;

            here.edge_count = reduce_edges(t.edges + here.first_edge, edges - here.first_edge, r, m);
            edges = here.first_edge + here.edge_count;
        }
    }
    return edges;
}

}  // namespace cograph::core
