// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/lane_order.hpp>
#include <cograph/expr/node/launch_limits.hpp>
#include <cograph/expr/node/node_spec.hpp>
#include <cograph/expr/variable/variable_info.hpp>

namespace cograph::core {

// Which threads solve a problem, and how many problems run at once.

constexpr bool is_problem_group(int size) { return size == 1 || (is_group_size(size) && size >= warp_lanes); }
// The threads of the largest group; one for nodes over elements, none for others.
constexpr int threads_wanted(const node_spec& tree) {
    int largest = tree.traits->threads_of_group;
    if (tree.kind == spec_kind::work && tree.traits->counts_elements && largest == 0) largest = 1;
    for (int i = 0; i < tree.child_count; ++i)
        if (const int below = threads_wanted(*tree.children[i]); below > largest) largest = below;
    return largest;
}
// As many elements as declarations count; more than that many threads have several each.
constexpr int most_chosen_threads = 256;
constexpr int declared_elements(const variable_info* variable) {
    const variable_info* const of = extent_source(variable);
    if (!of || !of->size_by || of->size_by->part_count != 1 || of->size_by->parts[0].what != size_step::number) return 0;
    const std::int64_t count = of->size_by->parts[0].number;
    return count < most_chosen_threads ? static_cast<int>(count) : most_chosen_threads;
}
constexpr int largest_declared(const node_spec& tree) {
    int largest = tree.kind == spec_kind::work && tree.traits->counts_elements ? declared_elements(tree.domain.variable) : 0;
    for (int i = 0; i < tree.child_count; ++i)
        if (const int below = largest_declared(*tree.children[i]); below > largest) largest = below;
    return largest;
}
// One if nothing runs over elements; else a warp, or as many as a group in it has, or as there are elements.
constexpr int chosen_group(const node_spec& tree) {
    const int largest = threads_wanted(tree), elements = largest_declared(tree);
    if (largest == 0) return 1;
    int chosen = warp_lanes;
    while (chosen < largest || chosen < elements) chosen *= 2;
    return chosen;
}

// Small blocks if problems have one thread each, which spreads them.
template <int Size>
constexpr int threads_of_block = Size >= 64 ? Size : Size == 1 ? 32 : 128;
// The threads of an H200: no GPU has memory for temps of more problems than that, and no more groups wait at a queue.
constexpr index_t most_threads_at_once = 132 * 2048;
template <int Size>
constexpr index_t blocks_for(index_t problems) {
    constexpr int of_block = threads_of_block<Size> / Size;
    return problems < 1 ? 1 : (problems + of_block - 1) / of_block;
}
template <int Size>
COGRAPH_HD constexpr index_t problems_at_once(index_t problems) {
    const index_t places = most_threads_at_once / threads_of_block<Size> * (threads_of_block<Size> / Size);
    return problems < 0 ? 0 : problems < places ? problems : places;
}
// A block for each problem, which the GPU begins when it has room; or as many groups as run at once.
template <int Size>
constexpr bool has_a_block = threads_of_block<Size> == Size;
// More than one block: a cluster, of blocks with as many threads as they may have. Clusters take problems from a queue.
template <int Size>
constexpr bool has_a_cluster = Size > most_threads;
template <int Size>
constexpr int threads_of_its_block = has_a_cluster<Size> ? most_threads : Size;
template <int Size>
constexpr launch_extent size_of_batch(const launch_request& asked) {
    if constexpr (has_a_cluster<Size>) return {blocks_for<Size>(problems_at_once<Size>(asked.elements)) * (Size / most_threads), static_cast<unsigned>(most_threads)};
    return {blocks_for<Size>(has_a_block<Size> ? asked.elements : problems_at_once<Size>(asked.elements)), static_cast<unsigned>(threads_of_block<Size>)};
}
// Temps of a problem are in the shared memory of the block if they take no more than this many bytes.
template <int Size>
constexpr std::size_t shared_place = Size == 1 || has_a_cluster<Size> ? 0 : Size * 64 < 16 * 1024 ? Size * 64 : 16 * 1024;

template <int Size>
inline constexpr node_traits batch_traits{.rule = "per_group", .size = &size_of_batch<Size>, .takes_shape = true, .counts_elements = true, .threads_of_group = Size, .code_for = has_a_cluster<Size> ? 90 : 0};

}  // namespace cograph::core
