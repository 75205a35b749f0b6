// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/kernel_merging.hpp>
#include <cograph/plan/lowering/lower.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>

namespace cograph::core {

// The nodes of a plan that instantiate merges into one kernel, except persistent ones: by node, the first node of its
// kernel, or -1 if it has its own kernel or is not a kernel.
struct group_view {
    const int* first = nullptr;
};

// By leaf, its nodes in a plan in their order, those of second conditions apart.
template <int Rows, int Leaves>
struct nodes_of_leaves {
    int first[2][Leaves + 1]{}, next[Rows + 1]{};

    constexpr explicit nodes_of_leaves(const plan_view& p) {
        for (auto& kind : first)
            for (int& node : kind) node = -1;
        for (int r = p.count.nodes - 1; r >= 0; --r) {
            if (p.nodes[r].kind == plan_node_kind::conditional) continue;
            int& at = first[is_second_condition(p, r)][p.nodes[r].leaf];
            next[r] = at;
            at = r;
        }
    }
    constexpr int find(int leaf, bool second, int number) const {
        int r = first[second][leaf];
        while (r >= 0 && number-- > 0) r = next[r];
        return r;
    }
};

// Input: the plan, that of the lowered expression, and by node of it the head that it joined. A node has its number in both.
// An unrolled loop is in it with its first iteration.
template <int Rows, int Leaves, int Lowered>
struct kernel_groups {
    int first[Rows + 1]{};

    constexpr kernel_groups(const plan_view& p, const plan_view& lowered, const int* head) {
        const nodes_of_leaves<Rows, Leaves> nodes(p);
        int before[2][Leaves + 1]{}, number[Lowered + 1]{}, joined[Rows + 1]{};
        for (int r = 0; r < p.count.nodes; ++r) first[r] = -1;
        for (int r = 0; r < lowered.count.nodes; ++r) {
            int& count = before[is_second_condition(lowered, r)][lowered.nodes[r].leaf];
            number[r] = count;
            if (lowered.nodes[r].kind != plan_node_kind::conditional) count += lowering_of(*lowered.nodes[r].from).iterations;
        }
        // The node of the plan that a lowered one stands for, or one of those fused in it; of those that a loop has several times, the same one. -1: an earlier
        // one stands for it.
        const auto node_of = [&](int r, int part, int iteration = 0) { return nodes.find(lowered.nodes[r].leaf + part, is_second_condition(lowered, r), number[r] + iteration); };
        for (int r = 0; r < lowered.count.nodes; ++r) {
            const plan_node& here = lowered.nodes[r];
            if (lowering_of(*here.from).of_further_iteration || node_of(r, 0) < 0) continue;
            if (head[r] >= 0 && !lowering_of(*lowered.nodes[head[r]].from).of_further_iteration) first[node_of(r, 0)] = node_of(head[r], 0);
            const lowered_node& own = lowering_of(*here.from);
            for (int part = 0; own.parts && part < here.from->leaves && !lowering_of(*own.parts[part]).turns_back; ++part)
                for (int iteration = own.parts[part]->traits->reduces ? own.iterations - 1 : 0; iteration < own.iterations; ++iteration)  // results are those of the last one
                    if (const int found = node_of(r, part, iteration); found >= 0) first[found] = node_of(r, 0);
        }
        for (int r = 0; r < p.count.nodes; ++r)
            if (first[r] >= 0 && first[r] != r) ++joined[first[r]];
        for (int r = 0; r < p.count.nodes; ++r)
            if (first[r] == r && joined[r] == 0) first[r] = -1;  // the others are in further iterations
    }
};

template <class E, graph_for Graph = graph_for::few_elements>
struct groups_of {
    using made = lowered<E, Graph>;
    using plan = plan_of<made>;
    static constexpr kernel_groups<plan_of<E>::size.nodes, E::leaves, plan::size.nodes> groups{plan_of<E>::view, plan::view, merged_of<made>::nodes.head};
    static constexpr group_view view{groups.first};
};
// The same of the graph that instantiate makes if a loop has too many elements for one kernel; null if that cannot be.
template <class E>
constexpr group_view groups_if_too_many_elements() {
    if constexpr (has_persistent(E::tree) && !persists_always(E::tree))
        return groups_of<E, graph_of_many<E>>::view;
    else
        return {};
}

}  // namespace cograph::core
