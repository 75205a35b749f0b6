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

// Whether a node of a loop may run in a phase: one block runs it if it has few elements, and only its threads wait before it.
enum class phase_status : unsigned char {
    phase,
    small_phase,         // of up to 256 elements: it or another node over as many reduces, has a length, is over a box or the like
    is_not_one_kernel,
    not_over_elements,   // every thread runs it
    reduces,             // all blocks meet behind it
    beside_a_reduction,  // shares the loop over its elements with a node that reduces
    groups_of_threads,   // scans among them
    no_computed_extent,  // of no such node of the loop: all are likely to be over as many elements
    too_few_barriers     // less than two before such nodes
};

// Where a loop may have phases: at the barriers of nodes over elements that do not reduce, if there are several and one has such an extent. For other
// loops, in which all extents are likely to be equal, finding phases would take longer than a barrier may.
template <int Leaves>
struct phase_search {
    leaf_barriers<Leaves> found;
    phase_status of_loop = phase_status::phase;

    constexpr phase_search(const leaf_barriers<Leaves>& barriers, const node_spec& loop) : found(barriers) {
        look(loop, 0);
        int several = 0;
        bool one_is_computed = false;
        for (int leaf = 0; leaf < Leaves; ++leaf) {
            several += fits[leaf] && found.before[leaf] == barrier::grid;
            one_is_computed = one_is_computed || (fits[leaf] && computed[leaf]);
        }
        if (!one_is_computed)
            of_loop = phase_status::no_computed_extent;
        else if (several < 2)
            of_loop = phase_status::too_few_barriers;
        if (of_loop != phase_status::phase) return;
        for (int leaf = 0; leaf < Leaves; ++leaf) {
            if (fits[leaf] && found.before[leaf] == barrier::grid) found.before[leaf] = barrier::of_phase;
            if (touches[leaf] && found.before[leaf] == barrier::none) found.before[leaf] = barrier::behind_phase;
            if (touches[leaf] && found.again[leaf] == barrier::none) found.again[leaf] = barrier::behind_phase;
            found.narrow[leaf] = status_of(leaf) == phase_status::phase;
        }
    }

    constexpr phase_status status_of(int leaf) const {
        if (!node[leaf]) return phase_status::not_over_elements;
        if (own_status(*node[leaf]) != phase_status::phase) return own_status(*node[leaf]);
        if (!fits[group[leaf]]) return phase_status::beside_a_reduction;
        if (of_loop != phase_status::phase) return of_loop;
        // One thread has an element in all nodes over an extent.
        for (int other = 0; other < Leaves; ++other)
            if (other == leaf || (node[other] && domain_of(*node[leaf]) && domain_of(*node[other]) == domain_of(*node[leaf])))
                if (!fits[group[other]] || !may_have_one_a_thread(*node[other]->traits)) return phase_status::small_phase;
        return phase_status::phase;
    }

private:
    static constexpr phase_status own_status(const node_spec& work) {
        const node_traits& traits = *work.traits;
        return !traits.counts_elements || traits.exchanges ? phase_status::not_over_elements
               : traits.reduces                            ? phase_status::reduces
               : traits.threads_of_group > 0               ? phase_status::groups_of_threads
                                                           : phase_status::phase;
    }
    static constexpr bool may_have_one_a_thread(const node_traits& traits) { return !traits.has_length && traits.box_rank == 0 && traits.looks_up == 0 && traits.every == 1; }
    static constexpr const variable_info* domain_of(const node_spec& work) {
        const bool has_threads_of_elements = work.traits->counts_elements && !work.traits->exchanges && work.traits->threads_of_group == 0 && work.traits->every == 1;
        return has_threads_of_elements ? extent_source(work.arguments[0].variable) : nullptr;
    }
    constexpr void look(const node_spec& tree, int leaf) {
        if (tree.kind == spec_kind::work) {
            if (found.splits[leaf]) first = leaf;
            node[leaf] = &tree;
            group[leaf] = first;
            touches[first] = touches[first] || touches_memory(tree);
            fits[first] = (first == leaf || fits[first]) && own_status(tree) == phase_status::phase;
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

    bool touches[Leaves + 1]{};  // by the first node of a group
    bool fits[Leaves + 1]{};
    bool computed[Leaves + 1]{};
    const node_spec* node[Leaves + 1]{};
    int group[Leaves + 1]{};     // of a node: its first one
    int first = 0;               // the node of this group
};

}  // namespace cograph::core
