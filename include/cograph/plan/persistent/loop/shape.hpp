// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/node_spec.hpp>

namespace cograph::core {

// What a loop tells of its kernel's shape before anything is bound.

constexpr int persistent_threads = 1024;             // in a block, at most
constexpr int small_block = persistent_threads / 2;  // threads have twice the registers

// The threads of the largest group in a loop.
constexpr int largest_group(const node_spec& tree) {
    int most = tree.kind == spec_kind::work ? tree.traits->threads_of_group : 0;
    for (int i = 0; i < tree.child_count; ++i)
        if (const int below = largest_group(*tree.children[i]); below > most) most = below;
    return most;
}
// Whether nodes see neighbours: if they may have tiles, each argument is a parameter.
constexpr bool sees_neighbours(const node_spec& tree) {
    for (int i = 0; i < tree.argument_count; ++i)
        if (tree.arguments[i].near) return true;
    for (int i = 0; i < tree.child_count; ++i)
        if (sees_neighbours(*tree.children[i])) return true;
    return false;
}
// The threads of a block, if they are given; the kernel of a loop that may have tiles has their shape.
constexpr int given_block(const node_spec& loop) {
    if (loop.block == 0 || sees_neighbours(loop)) return 0;
    const int needed = largest_group(loop);
    return needed > loop.block ? (needed + 255) / 256 * 256 : loop.block;
}
constexpr int given_grid(const node_spec& loop) { return sees_neighbours(loop) ? 0 : loop.grid; }
constexpr bool has_given_shape(const node_spec& loop) { return given_block(loop) != 0 && given_grid(loop) != 0; }
// The most elements that a node of a loop runs over, if the types of all its nodes say how many; else -1. Of boxes and groups of threads, they do not.
constexpr index_t known_extent(const node_spec& tree) {
    index_t most = 0;
    if (!is_group(tree) && tree.traits && tree.traits->counts_elements) {
        const argument& counted = tree.arguments[0];
        const variable_info* const of = extent_source(counted.variable);
        if (tree.traits->box_rank > 0 || tree.traits->threads_of_group > 0 || tree.traits->has_length) return -1;
        if (counted.form == argument_form::count && counted.constant > 0)
            most = counted.constant;
        else if (counted.form == argument_form::extent && of && of->size_by && of->size_by->part_count == 1 && of->size_by->parts[0].what == size_step::number)
            most = of->size_by->parts[0].number;
        else
            return -1;
    }
    for (int i = 0; i < tree.child_count; ++i) {
        const index_t below = known_extent(*tree.children[i]);
        if (below < 0) return -1;
        if (below > most) most = below;
    }
    return most;
}
// Beyond this many elements memory takes the time, and separate kernels use it better: measured on an H200, on which the lines cross between four and
// seventeen million.
constexpr index_t most_persistent_elements = index_t{1} << 22;
// The same of loops whose nodes read neighbours in boxes of three dimensions: as kernels of their own, these take a few planes a thread. Measured on an H100, on which
// the lines cross between 112^3 and 128^3, with four nodes for each reduction or more. With two, they cross near 150^3.
constexpr index_t most_persistent_elements_of_planes = index_t{3} << 19;
struct nodes_over_elements {
    int of_planes = 0, reductions = 0, others = 0;

    constexpr void add(const node_spec& tree) {
        if (tree.kind == spec_kind::work && tree.traits->counts_elements) {
            const bool is_of_planes = tree.traits->box_rank == 3 && tree.elements_a_thread == few_planes;
            if (tree.traits->reduces)
                ++reductions;
            else
                ++(is_of_planes ? of_planes : others);
        }
        for (int i = 0; i < tree.child_count; ++i) add(*tree.children[i]);
    }
};
// Whether a loop has such nodes, no others, and few reductions.
constexpr bool takes_planes(const node_spec& loop) {
    nodes_over_elements count{};
    count.add(loop);
    return count.others == 0 && count.of_planes > 0 && count.of_planes >= 4 * count.reductions;
}
// Whether a loop is one kernel whatever is bound.
constexpr bool is_always_one_kernel(const node_spec& loop) {
    const index_t constant = known_extent(loop);
    return has_given_shape(loop) || (constant >= 0 && constant <= most_persistent_elements);
}
// How many threads a block of a loop over so few elements has at most, if it is the only one and its threads have one element each; else 0.
constexpr int threads_of_few(const node_spec& loop, bool has_small_blocks) {
    const index_t constant = known_extent(loop);
    const int most = given_block(loop) != 0 ? given_block(loop) : has_small_blocks ? small_block : persistent_threads;
    if (constant < 0 || constant > most || given_grid(loop) != 0) return 0;
    return given_block(loop) == 0 && constant <= small_block ? small_block : most;
}

}  // namespace cograph::core
