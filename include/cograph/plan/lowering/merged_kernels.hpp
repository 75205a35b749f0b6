// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/kernel_merging.hpp>
#include <cograph/plan/lowering/lower.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>

namespace cograph::core {

// The nodes of a plan that instantiate merges into one kernel, except persistent ones: by node, the first node of its
// kernel, or -1 if it has its own kernel or is not a kernel.
struct group_view {
    const int* first;
};

// Input: the plan, that of the lowered expression, and by node of it the head that it joined. A node has its number in both.
// Of a loop that is unrolled, its first iteration.
template <int Rows>
struct kernel_groups {
    int first[Rows + 1]{};

    constexpr kernel_groups(const plan_view& p, const plan_view& lowered, const int* head) {
        for (int r = 0; r < p.count.nodes; ++r) first[r] = -1;
        for (int r = 0; r < lowered.count.nodes; ++r) {
            const plan_node& here = lowered.nodes[r];
            if (lowering_of(*here.from).of_further_iteration) continue;
            if (head[r] >= 0 && !lowering_of(*lowered.nodes[head[r]].from).of_further_iteration) first[node_in(p, lowered, r, 0)] = node_in(p, lowered, head[r], 0);
            for (int part = 0; lowering_of(*here.from).parts && part < here.from->leaves; ++part)
                first[node_in(p, lowered, r, part)] = node_in(p, lowered, r, 0);
        }
        for (int r = 0; r < p.count.nodes; ++r)
            if (first[r] == r && !has_others(r, p.count.nodes)) first[r] = -1;  // the others are in further iterations
    }

private:
    constexpr bool has_others(int head, int nodes) const {
        for (int r = 0; r < nodes; ++r)
            if (r != head && first[r] == head) return true;
        return false;
    }
    static constexpr bool is_same(const plan_node& r, bool again, const plan_node& other, bool other_again) {
        return r.kind != plan_node_kind::conditional && r.leaf == other.leaf && again == other_again;
    }
    // The node of the plan that a lowered one stands for, or one of those fused in it; of those that a loop has several times, the same one.
    static constexpr int node_in(const plan_view& p, const plan_view& lowered, int node, int part) {
        const bool again = is_second_condition(lowered, node);
        int before = 0;
        for (int r = 0; r < node; ++r) before += is_same(lowered.nodes[r], is_second_condition(lowered, r), lowered.nodes[node], again);
        for (int r = 0; r < p.count.nodes; ++r)
            if (p.nodes[r].kind != plan_node_kind::conditional && p.nodes[r].leaf == lowered.nodes[node].leaf + part && is_second_condition(p, r) == again &&
                before-- == 0)
                return r;
        return node;
    }
};

template <class E>
struct groups_of {
    using plan = plan_of<lowered<E>>;
    static constexpr kernel_groups<plan_of<E>::size.nodes> groups{plan_of<E>::view, plan::view, merged_of<lowered<E>>::nodes.head};
    static constexpr group_view view{groups.first};
};

}  // namespace cograph::core
