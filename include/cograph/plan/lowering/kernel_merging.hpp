// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/plan/persistent/eligibility.hpp>
#include <cograph/plan/persistent/loop/parameters.hpp>
#include <cograph/plan/tables/plan.hpp>

namespace cograph::core {

// Which nodes become one kernel: a head, followed by nodes of one thread and conditions, which one thread runs in order when the head
// is done. A head is a reduction that is not predicated, a node of one thread or a condition. Such a node joins a head if the head waits
// for all of the node's dependencies, and if no wait becomes longer:
// - it waits for the head or a node that joined it; or it is ready when a head of one thread is; or the only node that waits for it does so, too.
// - A node with user code joins only if nothing else waits for the kernel, because it may take long.
// The body of a loop keeps two kernels in addition to those of loops and branches in it. If a loop is too large to be persistent, no
// loop is, and the reductions of loops that could be lead no kernel: they take long, and are compiled less well with other nodes. On
// an H200, an iteration of Jacobi's method over 16384^2 takes 1 181 us node by node, and took 1 204 to 1 238 merged.
// A kernel decides at most one later conditional node: on an H200, two that wait for one kernel take a microsecond more than two that
// wait for one each.
// Input: a plan. Output: by node, the head of its kernel and the next node in it. Cost: nodes and edges, and for each node that may
// join the edges before its head.
template <int Rows>
struct merged_nodes {
    int head[Rows + 1]{};   // -1: a kernel of its own, or none
    int next[Rows + 1]{};   // -1: the last
    int heads[Rows + 1]{};  // of all kernels
    int count = 0;
};

// Whether a node is the condition after an iteration of a loop.
constexpr bool is_second_condition(const plan_view& p, int r) {
    const int owner = p.regions[p.nodes[r].region].owner;
    return p.nodes[r].kind == plan_node_kind::condition && owner >= 0 && p.nodes[owner].handle == p.nodes[r].handle;
}

constexpr int most_merged_nodes = 16, most_merged_arguments = 96;

template <int Rows>
struct merging_pass {
    const plan_view& p;
    merged_nodes<Rows> found{};
    int last[Rows + 1]{};     // by head: the last node that joined it
    int parts[Rows + 1]{};    // by head
    int arguments[Rows + 1]{};
    unsigned bytes[Rows + 1]{};  // by head: of its parameters
    bool decides[Rows + 1]{};  // by head: a conditional node after it
    int waiter[Rows + 1]{};   // by node: the one that waits for it; none, several
    static constexpr int none = -1, several = -2;
    bool before[Rows + 1]{};  // the nodes that the head `marked` waits for, at any distance
    int pending[Rows + 1]{};
    int marked = -1;

    constexpr explicit merging_pass(const plan_view& plan) : p(plan) {
        for (int r = 0; r < p.count.nodes; ++r) found.head[r] = found.next[r] = waiter[r] = -1;
        for (int r = 0; r < p.count.nodes; ++r)
            for (int e = p.nodes[r].first_edge; e < p.nodes[r].first_edge + p.nodes[r].edge_count; ++e)
                waiter[p.edges[e]] = waiter[p.edges[e]] == none ? r : several;
        for (int region = 0; region < p.count.regions; ++region) pass(region);
        for (int r = 0; r < p.count.nodes; ++r) {
            if (found.head[r] == r && found.next[r] < 0) found.head[r] = -1;
            if (found.head[r] == r) found.heads[found.count++] = r;
        }
    }

private:
    static constexpr bool runs_in_one_thread(const plan_node& r) {
        if (r.kind == plan_node_kind::condition) return true;
        return r.kind == plan_node_kind::work && r.from->traits->is_stage && r.from->traits->one_thread;
    }
    static constexpr bool reduces(const plan_node& r) { return r.kind == plan_node_kind::work && r.from->traits->reduces && !lowering_of(*r.from).predicated; }
    static constexpr bool is_short(const plan_node& r) {
        return r.kind == plan_node_kind::condition || lowering_of(*r.from).answers || r.from->traits->is_brief;
    }

    // The head that a node waits for, or -1.
    constexpr int head_before(int r) const {
        for (int e = p.nodes[r].first_edge; e < p.nodes[r].first_edge + p.nodes[r].edge_count; ++e)
            if (found.head[p.edges[e]] >= 0) return found.head[p.edges[e]];
        return -1;
    }
    constexpr bool waits_for(int r, int head) const {
        for (int e = p.nodes[r].first_edge; e < p.nodes[r].first_edge + p.nodes[r].edge_count; ++e)
            if (found.head[p.edges[e]] == head) return true;
        return false;
    }
    constexpr bool ready_together(const plan_node& a, const plan_node& b) const {
        for (int e = 0; e < a.edge_count && a.edge_count == b.edge_count; ++e)
            if (p.edges[a.first_edge + e] != p.edges[b.first_edge + e]) return false;
        return a.edge_count == b.edge_count;
    }
    constexpr bool holds_nobody_up(int r, int head) const {
        if (!is_short(p.nodes[r]))
            for (int part = head; part >= 0; part = found.next[part])
                if (waiter[part] == several || (waiter[part] >= 0 && waiter[part] != r && found.head[waiter[part]] != head)) return false;
        if (waits_for(r, head) || waiter[r] == none || (waiter[r] >= 0 && waits_for(waiter[r], head))) return true;
        return !reduces(p.nodes[head]) && ready_together(p.nodes[r], p.nodes[head]);
    }

    constexpr void mark(int head) {
        if (marked == head) return;
        marked = head;
        for (bool& is_before : before) is_before = false;
        int left = 1;
        pending[0] = head;
        while (left > 0) {
            const plan_node& at = p.nodes[pending[--left]];
            for (int e = at.first_edge; e < at.first_edge + at.edge_count; ++e) {
                if (before[p.edges[e]]) continue;
                before[p.edges[e]] = true;
                pending[left++] = p.edges[e];
            }
        }
    }
    // Whether all kernels before this node in its region are one.
    constexpr bool is_only_kernel(int head, int r) const {
        int other = p.regions[p.nodes[r].region].first_node;
        while (other != r && (p.nodes[other].kind == plan_node_kind::conditional || found.head[other] == head)) other = p.nodes[other].next;
        return other == r;
    }
    constexpr bool joins(int r, int head) {
        const plan_node& here = p.nodes[r];
        if (head < 0 || parts[head] == most_merged_nodes || arguments[head] + here.argument_count > most_merged_arguments) return false;
        if (bytes[head] + own_parameter_bytes(*here.from) > most_shared_parameter_bytes) return false;
        if ((decides[head] && decides_here(r)) || !holds_nobody_up(r, head)) return false;
        if (is_second_condition(p, r) && is_only_kernel(head, r)) return false;
        mark(head);
        for (int e = here.first_edge; e < here.first_edge + here.edge_count; ++e)
            if (found.head[p.edges[e]] != head && !before[p.edges[e]]) return false;
        return true;
    }

    constexpr bool decides_here(int r) const { return p.nodes[r].kind == plan_node_kind::condition && !is_second_condition(p, r); }

    constexpr void pass(int region) {
        int latest = -1;
        const bool large = persistent_loop(p, p.regions[region].owner) >= 0;  // except for its size
        for (int r = p.regions[region].first_node; r >= 0; r = p.nodes[r].next) {
            const plan_node& here = p.nodes[r];
            if (here.as_nodes || (!runs_in_one_thread(here) && (large || !reduces(here)))) continue;
            int head = runs_in_one_thread(here) ? head_before(r) : -1;
            if (runs_in_one_thread(here) && head < 0) head = latest;
            if (!joins(r, head)) {
                found.head[r] = last[r] = latest = r;
                parts[r] = 1;
                arguments[r] = here.argument_count;
                bytes[r] = own_parameter_bytes(*here.from);
                decides[r] = decides_here(r);
                continue;
            }
            found.head[r] = head;
            found.next[last[head]] = r;
            last[head] = r;
            ++parts[head];
            decides[head] = decides[head] || decides_here(r);
            arguments[head] += here.argument_count;
            bytes[head] += own_parameter_bytes(*here.from);
        }
    }
};

// Whether an expression has nodes that may join others.
constexpr bool may_merge(const node_spec& tree) {
    bool found = tree.kind == spec_kind::work ? tree.traits->one_thread : !is_group(tree);
    for (int i = 0; i < tree.child_count && !found; ++i) found = may_merge(*tree.children[i]);
    return found;
}

// Whether an expression has loops or branches that are conditional nodes.
constexpr bool has_control(const node_spec& tree) {
    bool found = tree.kind != spec_kind::work && !is_group(tree);
    for (int i = 0; i < tree.child_count && !found; ++i) found = has_control(*tree.children[i]);
    return found;
}

template <class E>
struct merged_of {
    static constexpr merged_nodes<plan_of<E>::size.nodes> nodes = merging_pass<plan_of<E>::size.nodes>(plan_of<E>::view).found;
};

}  // namespace cograph::core
