// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/persistent/barriers.hpp>

namespace cograph::core {

// Whether a node reads or writes memory other than scalars, of which every thread has copies. Swapped buffers move no elements.
constexpr bool touches_memory(const node_spec& node) {
    if (node.traits->exchanges) return false;
    for (int i = 0; i < node.argument_count; ++i)
        if (reaches_memory(node.arguments[i]) && node.arguments[i].variable->kind != variable_kind::scalar) return true;
    return false;
}

// Whether a node runs over another number of elements than buffers have, as far as the plan knows: that of a temp whose size is computed, say.
constexpr bool has_computed_extent(const node_spec& node) {
    if (node.traits->box_rank > 0) return false;
    const argument& counted = node.arguments[0];
    const variable_info* const extent = extent_source(counted.variable);
    return counted.form != argument_form::extent || !extent || extent->size_by;
}

// Where a loop may have phases: at the barriers of nodes over elements that do not reduce, if there are several and one has such an extent. For other
// loops, in which all extents are likely to be equal, finding phases would take longer than a barrier may.
template <int Leaves>
struct phase_search {
    leaf_barriers<Leaves> found;
    bool touches[Leaves + 1]{};  // by the first node of a group
    bool fits[Leaves + 1]{};
    bool computed[Leaves + 1]{};
    int first = 0;               // the node of this group

    constexpr phase_search(const leaf_barriers<Leaves>& barriers, const node_spec& loop) : found(barriers) {
        look(loop, 0);
        int several = 0;
        bool one_is_computed = false;
        for (int leaf = 0; leaf < Leaves; ++leaf) {
            several += fits[leaf] && found.before[leaf] == barrier::grid;
            one_is_computed = one_is_computed || (fits[leaf] && computed[leaf]);
        }
        if (several < 2 || !one_is_computed) return;
        for (int leaf = 0; leaf < Leaves; ++leaf) {
            if (fits[leaf] && found.before[leaf] == barrier::grid) found.before[leaf] = barrier::of_phase;
            if (touches[leaf] && found.before[leaf] == barrier::none) found.before[leaf] = barrier::behind_phase;
            if (touches[leaf] && found.again[leaf] == barrier::none) found.again[leaf] = barrier::behind_phase;
        }
    }

private:
    constexpr void look(const node_spec& tree, int leaf) {
        if (tree.kind == spec_kind::work) {
            if (found.splits[leaf]) first = leaf;
            touches[first] = touches[first] || touches_memory(tree);
            fits[first] = (first == leaf || fits[first]) && tree.traits->counts_elements && tree.traits->threads_of_group == 0 && !tree.traits->exchanges && !tree.traits->reduces;
            computed[first] = tree.traits->counts_elements && has_computed_extent(tree);
            return;
        }
        if (!is_group(tree)) {
            touches[leaf] = touches_memory(tree);
            ++leaf;
        }
        for (int i = 0; i < tree.child_count; ++i) {
            look(*tree.children[i], leaf);
            leaf += count_leaves(*tree.children[i]);
        }
    }
};

}  // namespace cograph::core
