// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tables/plan.hpp>

namespace cograph::core {

// Which memory of a run may share: memory that is never in use at the same time. Only temps and workspaces share; a
// scalar can be fetched after the run, and hidden counters keep their values from launch to launch.
struct lifetime_view {
    const int* variables;             // of each item: its number in the plan
    const std::uint64_t* conflicts;   // node i: a bit for each item that is in use while i is
    int count;
    int words;  // of a node

    constexpr bool conflict(int a, int b) const { return conflicts[a * words + b / 64] >> (b % 64) & 1; }
};

// Working memory of the pass, zeroed. Sets of nodes take node_words of 64, sets of items as many words as the pass says.
struct lifetime_memory {
    int* local;             // by node: its number in its region
    std::uint64_t* reach;   // by node: the nodes of its region before it
    std::uint64_t* users;   // by item: the nodes of a region that touch it
    std::uint64_t* before;  // by item: the nodes that are before all those
    int* only_user;         // by item: the node, if it is one; else -1
    int* touched;           // the items of a region
    std::uint64_t* seen;    // the same as a set
    std::uint64_t* uses;    // by node: the items it touches
    std::uint64_t* enters;  // by region: the items that it reads before it writes them
    std::uint64_t* leaves;  // by region: the items that it writes on every path
    int node_words;
};

// Marks the items of a plan: of each variable the number of its item, or -1. Returns how many there are.
constexpr int number_items(const plan_view& p, int* item_of) {
    int items = 0;
    for (int v = 0; v < p.count.variables; ++v) item_of[v] = -1;
    for (int v = 0; v < p.count.named; ++v)
        if (p.variables[v].info->kind == variable_kind::temp) item_of[v] = items++;
    for (int r = 0; r < p.count.nodes; ++r)
        for (int i = 0; i < p.nodes[r].argument_count; ++i)
            if (p.nodes[r].from->arguments[i].form == argument_form::workspace) item_of[p.arguments[p.nodes[r].first_argument + i]] = items++;
    return items;
}

// Two items may share memory if every node of a region that uses one waits, by the plan's own edges, for every node
// that uses the other. If a loop or branch uses both, and all other users of one of them come before it, its bodies
// decide in the same way. But an item that a body reads before it writes it lives on from iteration to iteration.
// Cost: words for each edge and for each pair of items in a region.
struct liveness_pass {
    const plan_view& p;
    const int* item_of;
    int items, words;  // of 64 items
    lifetime_memory m;
    std::uint64_t* conflicts;

    static constexpr void put(std::uint64_t* set, int at) { set[at / 64] |= std::uint64_t{1} << (at % 64); }
    static constexpr bool has(const std::uint64_t* set, int at) { return set[at / 64] >> (at % 64) & 1; }

    constexpr std::uint64_t* uses(int node) const { return m.uses + static_cast<std::ptrdiff_t>(node) * words; }
    constexpr std::uint64_t* enters(int region) const { return m.enters + static_cast<std::ptrdiff_t>(region) * words; }
    constexpr std::uint64_t* leaves(int region) const { return m.leaves + static_cast<std::ptrdiff_t>(region) * words; }

    // The variables that a node reads before this region writes them, or keeps in part, and those that it writes.
    constexpr void flow_node(const plan_node& r, int region) {
        std::uint64_t* const enter = enters(region);
        std::uint64_t* const leave = leaves(region);
        if (r.kind != plan_node_kind::conditional) {
            for (int a = r.first_access; a < r.first_access + r.access_count; ++a) {
                const int item = item_of[p.accesses[a].variable];
                if (item >= 0 && (reads(p.accesses[a].how) || p.accesses[a].partly) && !has(leave, item)) put(enter, item);
            }
            for (int a = r.first_access; a < r.first_access + r.access_count; ++a) {
                const int item = item_of[p.accesses[a].variable];
                if (item >= 0 && writes(p.accesses[a].how) && !p.accesses[a].partly) put(leave, item);
            }
            return;
        }
        const bool all_written = r.control == spec_kind::do_while || (r.control == spec_kind::when && r.region_count == 2);
        for (int w = 0; w < words; ++w) {
            std::uint64_t written = all_written ? ~std::uint64_t{0} : 0;
            for (int body = r.first_region; body < r.first_region + r.region_count; ++body) {
                enter[w] |= enters(body)[w] & ~leave[w];
                if (all_written) written &= leaves(body)[w];
            }
            leave[w] |= written;
        }
    }

    constexpr void note_uses(int at) {
        const plan_node& r = p.nodes[at];
        for (int body = r.first_region; body < r.first_region + r.region_count; ++body) {
            pass(body);
            for (int inner = p.regions[body].first_node; inner >= 0; inner = p.nodes[inner].next)
                for (int w = 0; w < words; ++w) uses(at)[w] |= uses(inner)[w];
        }
        if (r.kind == plan_node_kind::conditional) return;
        for (int a = r.first_access; a < r.first_access + r.access_count; ++a)
            if (item_of[p.accesses[a].variable] >= 0) put(uses(at), item_of[p.accesses[a].variable]);
        for (int i = 0; i < r.argument_count; ++i)
            if (r.from->arguments[i].form == argument_form::workspace) put(uses(at), item_of[p.arguments[r.first_argument + i]]);
    }

    constexpr std::uint64_t* nodes_of(std::uint64_t* sets, int at) const { return sets + static_cast<std::ptrdiff_t>(at) * m.node_words; }

    // The nodes of its region before a node.
    constexpr void note_order(int at, int local) {
        m.local[at] = local;
        std::uint64_t* const mine = nodes_of(m.reach, at);
        for (int e = p.nodes[at].first_edge; e < p.nodes[at].first_edge + p.nodes[at].edge_count; ++e) {
            for (int w = 0; w < m.node_words; ++w) mine[w] |= nodes_of(m.reach, p.edges[e])[w];
            put(mine, m.local[p.edges[e]]);
        }
    }

    // Adds a node to those that touch an item; `first` in its region.
    constexpr void note_user(int item, int at, bool first) {
        std::uint64_t* const users = nodes_of(m.users, item);
        std::uint64_t* const before = nodes_of(m.before, item);
        for (int w = 0; w < m.node_words; ++w) {
            if (first) users[w] = 0;
            before[w] = first ? nodes_of(m.reach, at)[w] : before[w] & nodes_of(m.reach, at)[w];
        }
        put(users, m.local[at]);
        m.only_user[item] = first ? at : -1;
    }

    constexpr bool is_before(int a, int b) const {
        for (int w = 0; w < m.node_words; ++w)
            if (nodes_of(m.users, a)[w] & ~nodes_of(m.before, b)[w]) return false;
        return true;
    }

    // One is touched by a loop or branch alone, the other by it too and else only before it; and neither brings anything into
    // a loop's next iteration, nor from before into a body.
    constexpr bool decided_inside(int a, int b) const {
        const int inner = m.only_user[a] >= 0 ? a : b;
        const int other = inner == a ? b : a;
        const int at = m.only_user[inner];
        if (at < 0 || p.nodes[at].kind != plan_node_kind::conditional || !has(uses(at), other)) return false;
        const bool alone = m.only_user[other] == at;
        for (int w = 0; w < m.node_words; ++w) {
            std::uint64_t outside = nodes_of(m.users, other)[w];
            if (m.local[at] / 64 == w) outside &= ~(std::uint64_t{1} << (m.local[at] % 64));
            if (outside & ~nodes_of(m.reach, at)[w]) return false;
        }
        if (alone && !is_loop(p.nodes[at].control)) return true;
        for (int body = p.nodes[at].first_region; body < p.nodes[at].first_region + p.nodes[at].region_count; ++body)
            if (has(enters(body), a) || has(enters(body), b)) return false;
        return true;
    }

    constexpr void pass(int region) {
        const int first = p.regions[region].first_node;
        for (int at = first; at >= 0; at = p.nodes[at].next) {
            note_uses(at);
            flow_node(p.nodes[at], region);
        }
        for (int w = 0; w < words; ++w) m.seen[w] = 0;
        int local = 0, touched = 0;
        for (int at = first; at >= 0; at = p.nodes[at].next) {
            note_order(at, local++);
            for (int item = 0; item < items; ++item) {
                if (!has(uses(at), item)) continue;
                const bool is_new = !has(m.seen, item);
                if (is_new) m.touched[touched++] = item;
                put(m.seen, item);
                note_user(item, at, is_new);
            }
        }
        for (int i = 0; i < touched; ++i)
            for (int j = 0; j < i; ++j) {
                const int a = m.touched[i], b = m.touched[j];
                if (is_before(a, b) || is_before(b, a) || decided_inside(a, b)) continue;
                put(conflicts + static_cast<std::ptrdiff_t>(a) * words, b);
                put(conflicts + static_cast<std::ptrdiff_t>(b) * words, a);
            }
    }
};

}  // namespace cograph::core
