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
// As many elements as declarations count.
constexpr std::int64_t declared_elements(const variable_info* variable) {
    const variable_info* const of = extent_source(variable);
    if (!of || !of->size_by || of->size_by->part_count != 1 || of->size_by->parts[0].what != size_step::number) return 0;
    return of->size_by->parts[0].number;
}
constexpr std::int64_t largest_declared(const node_spec& tree) {
    std::int64_t largest = tree.kind == spec_kind::work && tree.traits->counts_elements ? declared_elements(tree.domain.variable) : 0;
    for (int i = 0; i < tree.child_count; ++i)
        if (const std::int64_t below = largest_declared(*tree.children[i]); below > largest) largest = below;
    return largest;
}

// What the temps of declared sizes and the scalars take: together, and in a thread that has one element of each.
struct declared_state {
    std::int64_t bytes_of_temps = 0;
    unsigned bytes_of_thread = 0;
};
// The argument number `left`, counted through all nodes.
constexpr const argument* argument_at(const node_spec& tree, int& left) {
    if (left < tree.argument_count) return tree.arguments + left;
    left -= tree.argument_count;
    for (int i = 0; i < tree.child_count; ++i)
        if (const argument* const found = argument_at(*tree.children[i], left)) return found;
    return nullptr;
}
constexpr const variable_info* variable_at(const node_spec& tree, int number) {
    const argument* const found = argument_at(tree, number);
    return found ? found->variable : nullptr;
}
constexpr declared_state declared_state_of(const node_spec& tree) {
    declared_state state;
    for (int i = 0;; ++i) {
        int left = i;
        const argument* const found = argument_at(tree, left);
        if (!found) return state;
        const variable_info* const here = found->variable;
        int first = 0;
        while (variable_at(tree, first) != here) ++first;
        if (!here || first != i) continue;
        const std::int64_t count = here->kind == variable_kind::temp ? declared_elements(here) : 0;
        state.bytes_of_temps += count * here->size;
        if (count > 0 || here->kind == variable_kind::scalar) state.bytes_of_thread += here->size;
    }
}

// Temps of a problem are in the shared memory of the block, or in the own memory of a thread alone, if they take no more than this many bytes.
constexpr int most_bytes_of_thread = 512;
constexpr int shared_bytes_for(int threads) {
    if (threads == 1 || threads > most_threads) return threads == 1 ? most_bytes_of_thread : 0;
    return threads * 64 < 16 * 1024 ? threads * 64 : 16 * 1024;
}
// Of a thread's scalars and its element of each temp. They are in its registers, and in its local memory if it has too few of those.
constexpr unsigned most_bytes_kept = 1024;
// One if nothing runs over elements; else a warp, or as many as a group in it has, or as there are elements. More threads than that make
// problems slower, except if temps are too large for shared memory, and threads can keep them.
constexpr int most_chosen_threads = 256;
constexpr int chosen_group(const node_spec& tree) {
    const int largest = threads_wanted(tree);
    if (largest == 0) return 1;
    const std::int64_t elements = largest_declared(tree);
    int chosen = warp_lanes, for_all = warp_lanes;
    while (chosen < largest || (chosen < elements && chosen < most_chosen_threads)) chosen *= 2;
    if (elements <= chosen || elements > most_threads) return chosen;
    while (for_all < elements) for_all *= 2;
    const declared_state state = declared_state_of(tree);
    return state.bytes_of_temps > shared_bytes_for(chosen) && state.bytes_of_thread <= most_bytes_kept ? for_all : chosen;
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
template <int Size>
constexpr std::size_t shared_place = shared_bytes_for(Size);

template <int Size>
inline constexpr node_traits batch_traits{.rule = "per_group", .size = &size_of_batch<Size>, .takes_shape = true, .counts_elements = true, .threads_of_group = Size, .code_for = has_a_cluster<Size> ? 90 : 0};

}  // namespace cograph::core
