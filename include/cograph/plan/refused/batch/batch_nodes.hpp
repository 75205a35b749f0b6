// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/batch_reasons.hpp>
#include <cograph/plan/batch/problem/problem_threads.hpp>
#include <cograph/plan/batch/problem_clusters.hpp>
#include <cograph/plan/persistent/eligibility.hpp>
#include <cograph/plan/refused/run.hpp>

namespace cograph::core {

// Refused nodes of problems, and groups of threads that are too small for them.

// The first node with a larger group, or whose groups have a barrier each, and are more than a block has barriers for: those of a reduction.
constexpr int most_group_barriers = 15;
struct misfit_group {
    int leaf = -1;
    bool is_larger = false;
};
constexpr bool has_too_many_groups(const node_spec& node, int size) {
    return node.traits->reduces && node.traits->threads_of_group > warp_lanes && size / node.traits->threads_of_group > most_group_barriers;
}
constexpr misfit_group find_misfit(const node_spec& tree, int size, int& leaf) {
    if (tree.kind == spec_kind::work && tree.traits->threads_of_group > size) return {leaf, true};
    if (tree.kind == spec_kind::work && has_too_many_groups(tree, size)) return {leaf, false};
    leaf += is_group(tree) ? 0 : tree.leaves;
    for (int i = 0; i < tree.child_count; ++i)
        if (const misfit_group found = find_misfit(*tree.children[i], size, leaf); found.leaf >= 0) return found;
    return {};
}
template <int Size, class Node>
constexpr auto too_small(word<Node>) {
    return group_of_a_problem_is_too_small<Node, limit_is<Size>>{};
}
template <class Node>
constexpr auto too_many_groups(word<Node>) {
    return groups_of_a_problem_are_too_many<Node, limit_is<most_group_barriers>>{};
}
// In a block, or the threads of a problem in it.
template <class E, int Size>
constexpr auto diagnose_groups_in() {
    constexpr auto find = [] {
        int leaf = 0;
        return find_misfit(E::tree, Size, leaf);
    };
    constexpr misfit_group found = find();
    if constexpr (found.leaf < 0)
        return fine{};
    else if constexpr (found.is_larger)
        return too_small<threads_wanted(E::tree)>(name_of(node_at<found.leaf>(word<E>{})));
    else
        return too_many_groups(name_of(node_at<found.leaf>(word<E>{})));
}
template <class E, class Shape>
constexpr auto diagnose_problem_group(const Shape*) {
    return diagnose_groups_in<E, chosen_group(E::tree)>();
}
template <class E, class Shape, int Size>
constexpr auto diagnose_problem_group(const group_shape<Shape, Size>*) {
    if constexpr (!is_problem_group(Size))
        return not_a_group_for_a_problem<Size>{};
    else
        return diagnose_groups_in<E, Size>();
}
template <class E, class Shape, int Blocks>
constexpr auto diagnose_problem_group(const problem_clusters<Shape, Blocks>*) {
    return diagnose_groups_in<E, most_threads>();
}

template <lowering_status Why>
constexpr auto reason_of() {
    if constexpr (Why == lowering_status::scalar_is_large)
        return it_has_a_large_scalar{};
    else if constexpr (Why == lowering_status::single_task_writes_memory)
        return one_thread_writes_memory{};
    else if constexpr (Why == lowering_status::element_node_writes_scalar)
        return elements_write_a_scalar{};
    else if constexpr (Why == lowering_status::condition_writes)
        return a_condition_writes{};
    else if constexpr (Why == lowering_status::lowering_disabled || Why == lowering_status::driven_by_host)
        return it_is_to_stay_a_node{};
    else
        return it_chooses_its_own_launch{};
}
template <class Why, class Node>
constexpr auto no_part(word<Node>, Why) {
    return not_in_a_batch<Node, Why>{};
}
template <class E>
constexpr auto diagnose_parts() {
    constexpr auto find = [] {
        int leaf = 0;
        return find_obstacle(E::tree, leaf);
    };
    constexpr obstacle found = find();
    if constexpr (found.why == lowering_status::persistent)
        return fine{};
    else
        return no_part(name_of(node_at<found.leaf>(word<E>{})), reason_of<found.why>());
}

}  // namespace cograph::core
