// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/batch/problem/problem_frame.hpp>
#include <cograph/plan/batch/problem/problem_groups.hpp>
#include <cograph/plan/batch/problem/problem_quantities.hpp>
#include <cograph/plan/batch/problem/problem_threads.hpp>

#include <cstring>

namespace cograph::core {

// How the host computes the numbers of a batch, in the run of one problem.

// Argument number I of an expression, counted through its nodes: of which node, and as which of its own.
struct argument_place {
    int leaf = 0, own = 0;
};
constexpr bool find_argument(const node_spec& tree, int& left, argument_place& at) {
    if (left < tree.argument_count) {
        at.own = left;
        return true;
    }
    left -= tree.argument_count;
    if (!is_group(tree)) at.leaf += tree.leaves;
    for (int i = 0; i < tree.child_count; ++i)
        if (find_argument(*tree.children[i], left, at)) return true;
    return false;
}
constexpr argument_place place_of_argument(const node_spec& tree, int number) {
    argument_place at;
    find_argument(tree, number, at);
    return at;
}
inline const void* computed_number(const frame& f, argument_place at) {
    for (int r = 0; r < f.plan.count.nodes; ++r) {
        const plan_node& here = f.plan.nodes[r];
        if (here.kind != plan_node_kind::conditional && here.leaf == at.leaf && at.own < here.argument_count)
            return f.slots[f.plan.arguments[here.first_argument + at.own]].number;
    }
    return nullptr;
}

template <class B, problem_quantity What, class V, int I>
const char* compute_problem_number(const void* (*)(const void*, const variable_info&), const void* run, const void*, void* to, char*) {
    using E = typename B::expression;
    const frame& batch = *static_cast<const frame*>(run);
    problem_frame problem(plan_to_run<E>(), batch, node_of_number(batch, B::node::tree, to), B::slices);
    index_t number = 0;
    if constexpr (What == problem_quantity::bytes) {
        problem.complete();
        problem.check_reports(B::reports);
        number = static_cast<index_t>(problem.bytes_before(B::slices, nullptr, &B::is_only_copied));
    } else if constexpr (What == problem_quantity::reached_bytes) {
        number = static_cast<index_t>(problem.bytes_before(B::slices, nullptr, &B::is_only_copied, true));
    } else if constexpr (What == problem_quantity::count) {
        number = static_cast<index_t>(problem.slots[number_of(problem, &info_of<V>)].count);
    } else if constexpr (What == problem_quantity::all || What == problem_quantity::distance) {
        const index_t all = static_cast<index_t>(count_of(batch, number_of(batch, B::slices.whole_of(&info_of<V>)))), problems = problem.problems();
        number = What == problem_quantity::all ? all : problems > 0 ? all / problems : 0;
    } else if constexpr (What == problem_quantity::group_bytes) {
        problem.complete();
        number = bytes_of_groups<B::size>(problem, place_of(batch, node_of_number(batch, B::node::tree, to)));
    } else if constexpr (What == problem_quantity::offset) {
        number = static_cast<index_t>(problem.bytes_before(B::slices, &info_of<V>, &B::is_only_copied));
    } else {
        problem.complete();
        std::memcpy(to, computed_number(problem, place_of_argument(E::tree, I)), most_number_bytes);
        return nullptr;
    }
    std::memcpy(to, &number, sizeof number);
    return nullptr;
}

template <class B>
size_result size_of_places(const size_rule&, size_result (*)(const void*, const variable_info&), const void* run) {
    const frame& batch = *static_cast<const frame*>(run);
    std::int64_t most = 0;
    for (int r = 0; r < batch.plan.count.nodes; ++r) {
        const plan_node& here = batch.plan.nodes[r];
        if (here.from != &B::node::tree) continue;
        const problem_frame problem(plan_to_run<typename B::expression>(), batch, here, B::slices);
        const std::size_t bytes = problem.bytes_before(B::slices, nullptr, &B::is_only_copied);
        const std::size_t in_use = !has_a_cluster<B::size> && B::has_one_element(problem) ? problem.bytes_before(B::slices, nullptr, &B::is_only_copied, true) : bytes;
        const index_t at_once = problems_at_once<B::size>(domain_size(batch, here));
        const index_t places = !has_a_cluster<B::size> && in_use <= shared_place<B::size> && at_once > 1 ? 1 : at_once;  // on the host there is one
        if (places > 0 && bytes > static_cast<std::size_t>(PTRDIFF_MAX / places)) return {0, "have more bytes than memory can hold"};
        const std::int64_t all = static_cast<std::int64_t>(bytes) * places;
        if (all > most) most = all;
    }
    return {most, nullptr};
}

}  // namespace cograph::core
