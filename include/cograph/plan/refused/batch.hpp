// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/batch_reasons.hpp>
#include <cograph/plan/batch/problem_threads.hpp>
#include <cograph/plan/batch/problem_variables.hpp>
#include <cograph/plan/persistent/eligibility.hpp>
#include <cograph/plan/refused/loop_report.hpp>
#include <cograph/plan/refused/run.hpp>

namespace cograph::core {

// Refused calls of batch.

template <class Shape>
constexpr auto diagnose_batch_shape() {
    if constexpr (requires { requires launch_shape_type<Shape> && Shape::counts_elements; })
        return fine{};
    else
        return shape_counts_no_problems<Shape>{};
}
template <int Size, class Node>
constexpr auto too_small(word<Node>) {
    return group_of_a_problem_is_too_small<Node, limit_is<Size>>{};
}
// The first node with a larger group. A reduction by groups needs a barrier for each of them, of which a block has fifteen.
constexpr int first_larger(const node_spec& tree, int size, int& leaf) {
    const int together = tree.kind == spec_kind::work ? tree.traits->threads_of_group : 0;
    if (together > size || (together > 32 && tree.traits->reduces && size / together > 15)) return leaf;
    leaf += is_group(tree) ? 0 : tree.leaves;
    for (int i = 0; i < tree.child_count; ++i)
        if (const int found = first_larger(*tree.children[i], size, leaf); found >= 0) return found;
    return -1;
}
template <class E, class Shape>
constexpr auto diagnose_problem_group(const Shape*) {
    return fine{};
}
template <class E, class Shape, int Size>
constexpr auto diagnose_problem_group(const group_shape<Shape, Size>*) {
    if constexpr (!is_problem_group(Size)) {
        return not_a_group_for_a_problem<Size>{};
    } else {
        constexpr auto find = [] {
            int leaf = 0;
            return first_larger(E::tree, Size, leaf);
        };
        if constexpr (find() < 0)
            return fine{};
        else
            return too_small<threads_wanted(E::tree)>(name_of(node_at<find()>(word<E>{})));
    }
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
    else if constexpr (Why == lowering_status::lowering_disabled)
        return it_is_to_stay_a_node{};
    else
        return it_chooses_its_own_launch{};
}
template <class Why, class Node>
constexpr auto no_part(word<Node>, Why) {
    return not_in_a_batch<Node, Why>{};
}
// The first node whose groups have shared memory.
constexpr int first_with_shared_memory(const node_spec& tree, int& leaf) {
    for (int i = 0; i < tree.argument_count; ++i)
        if (tree.arguments[i].of_shared_memory != 0) return leaf;
    leaf += is_group(tree) ? 0 : tree.leaves;
    for (int i = 0; i < tree.child_count; ++i)
        if (const int found = first_with_shared_memory(*tree.children[i], leaf); found >= 0) return found;
    return -1;
}
template <class E>
constexpr auto diagnose_shared_memory() {
    constexpr auto find = [] {
        int leaf = 0;
        return first_with_shared_memory(E::tree, leaf);
    };
    if constexpr (find() < 0)
        return fine{};
    else
        return no_part(name_of(node_at<find()>(word<E>{})), its_groups_have_shared_memory{});
}
template <class E>
constexpr auto diagnose_parts() {
    constexpr auto find = [] {
        int leaf = 0;
        return find_obstacle(E::tree, leaf);
    };
    constexpr obstacle found = find();
    if constexpr (found.why == lowering_status::persistent)
        return diagnose_shared_memory<E>();
    else
        return no_part(name_of(node_at<found.leaf>(word<E>{})), reason_of<found.why>());
}

// Of the variables of each problem.
template <template <class...> class Reason, class V, class... More>
constexpr auto about_variable(word<V>, word<More>...) {
    return Reason<V, More...>{};
}
template <class E, class... V, class... W, class... Parts>
constexpr auto diagnose_each(list<slices_of<V, W, Parts>...>) {
    constexpr list<V...> all;
    constexpr const variable_info* infos[] = {&info_of<V>..., nullptr};
    constexpr auto first_twice = [] {
        for (int i = 0; i < static_cast<int>(sizeof...(V)); ++i)
            for (int j = 0; j < i; ++j)
                if (infos[i] == infos[j]) return i;
        return -1;
    };
    constexpr int unused = first_true<!knows_variable<E, V>...>();
    if constexpr (first_twice() >= 0)
        return about_variable<each_problem_has_it_twice>(word_at<first_twice()>(all));
    else if constexpr (unused < static_cast<int>(sizeof...(V)))
        return about_variable<no_problem_uses_it>(word_at<unused>(all));
    else
        return fine{};
}

// The first variable that problems would write together, or that a problem would read before it writes it.
constexpr bool is_written_by_all(const slice_list& slices, const planned_variable& v) {
    const share how = share_of(slices, v);
    if (how == share::own_scalar) return v.read_first;
    return v.written && (how == share::all_memory || how == share::all_object);
}
// Whether a size or formula follows from a value of each problem.
constexpr bool is_on_the_device(const slice_list& slices, const variable_info* v) {
    return v && ((v->kind == variable_kind::value && slices.whole_of(v)) || slices.begins_of(v));
}
constexpr bool has_number_on_device(const slice_list& slices, const node_spec& tree, const variable_info* of) {
    bool has = tree.domain.variable == of && of->kind == variable_kind::value;  // an extent may be there
    for (int i = 0; i < tree.argument_count; ++i)
        for (int v = 0; tree.arguments[i].value && v < tree.arguments[i].value->variable_count; ++v) has |= tree.arguments[i].value->variables[v] == of;
    for (int i = 0; i < tree.child_count; ++i) has |= has_number_on_device(slices, *tree.children[i], of);
    return has;
}
constexpr bool is_in_a_size(const plan_view& p, const variable_info* of) {
    for (int v = 0; v < p.count.named; ++v)
        for (int i = 0; p.variables[v].info->size_by && i < p.variables[v].info->size_by->variable_count; ++i)
            if (p.variables[v].info->size_by->variables[i] == of) return true;
    return false;
}
// A node that takes an element of an array with unequal parts runs over elements with the same parts. Gives the other array.
constexpr const variable_info* differing_part(const slice_list& slices, const node_spec& node) {
    const bool counts = node.kind == spec_kind::work && node.traits->counts_elements;
    const bool alike = node.kind != spec_kind::work || node.traits->equal_extents || node.traits->exchanges;
    const variable_info* first = counts ? slices.begins_of(node.domain.variable) : nullptr;
    bool is_first = !counts;
    for (int i = 0; i < node.argument_count; ++i) {
        const argument& a = node.arguments[i];
        if (!a.variable || a.form != argument_form::pointer || a.variable->kind == variable_kind::scalar || !(a.each || alike)) continue;
        const variable_info* const own = slices.begins_of(a.variable);
        if (is_first) first = own;
        is_first = false;
        if (own != first && (own || alike)) return a.variable;
    }
    return nullptr;
}
struct differing {
    int leaf = -1, variable = -1;
};
constexpr differing find_differing(const slice_list& slices, const plan_view& plan, const node_spec& tree, int& leaf) {
    if (const variable_info* const found = differing_part(slices, tree)) {
        int v = 0;
        while (plan.variables[v].info != found) ++v;
        return {leaf, v};
    }
    leaf += is_group(tree) ? 0 : tree.leaves;
    for (int i = 0; i < tree.child_count; ++i)
        if (const differing found = find_differing(slices, plan, *tree.children[i], leaf); found.leaf >= 0) return found;
    return {};
}
template <class Node, class V>
constexpr auto parts_differ(word<Node>, word<V>) {
    return parts_of_problems_differ<Node, V>{};
}
template <class E, class... S>
constexpr auto diagnose_lengths() {
    constexpr auto find = [] {
        int leaf = 0;
        return find_differing(slices<S...>::view, plan_of<E>::view, E::tree, leaf);
    };
    constexpr differing found = find();
    if constexpr (found.leaf < 0)
        return fine{};
    else
        return parts_differ(name_of(node_at<found.leaf>(word<E>{})), name_of_variable<E, found.variable>());
}

struct wrong_variable {
    int all_write = -1, on_device = -1, no_size = -1, unwritten = -1;
};
template <class E>
constexpr wrong_variable find_wrong(const slice_list& slices) {
    constexpr const plan_view& p = plan_of<E>::view;
    wrong_variable first;
    for (int v = p.count.named; v-- > 0;) {
        const planned_variable& planned = p.variables[v];
        if (is_written_by_all(slices, planned)) first.all_write = v;
        if (is_on_the_device(slices, planned.info) && (has_number_on_device(slices, E::tree, planned.info) || is_in_a_size(p, planned.info))) first.on_device = v;
        if (share_of(slices, planned) != share::own_temp) continue;
        if (!planned.info->like && !planned.info->size_by) first.no_size = v;
        if (planned.read_first) first.unwritten = v;
    }
    return first;
}
template <class E, class... S>
constexpr auto diagnose_shares() {
    constexpr wrong_variable first = find_wrong<E>(slices<S...>::view);
    if constexpr (first.all_write >= 0)
        return about_variable<all_problems_write>(name_of_variable<E, first.all_write>());
    else if constexpr (first.on_device >= 0)
        return about_variable<number_of_a_problem_is_on_the_device>(name_of_variable<E, first.on_device>());
    else if constexpr (first.no_size >= 0)
        return about_variable<temp_of_a_problem_has_no_size>(name_of_variable<E, first.no_size>());
    else if constexpr (first.unwritten >= 0)
        return about_variable<temp_read_before_written>(name_of_variable<E, first.unwritten>(),
                                                        name_of(node_at<plan_of<E>::view.nodes[plan_of<E>::view.variables[first.unwritten].first_reader].leaf>(word<E>{})));
    else
        return fine{};
}
template <class E, class... S>
constexpr auto diagnose_problems(list<S...> all) {
    if constexpr (!is_fine<decltype(diagnose_each<E>(all))>)
        return diagnose_each<E>(all);
    else if constexpr (!is_fine<decltype(diagnose_shares<E, S...>())>)
        return diagnose_shares<E, S...>();
    else
        return diagnose_lengths<E, S...>();
}

// What CUDA passes to one kernel at most: two parameters a variable, and what nodes keep and compute.
constexpr int count_kept(const node_spec& tree) {
    int count = 0;
    for (int i = 0; i < tree.argument_count; ++i) {
        const argument_form form = tree.arguments[i].form;
        count += form == argument_form::kept_value || form == argument_form::count || form == argument_form::computed;
    }
    for (int i = 0; i < tree.child_count; ++i) count += count_kept(*tree.children[i]);
    return count;
}
template <class E>
constexpr auto diagnose_parameters() {
    constexpr int most = count_kept(E::tree) + 2 * plan_of<E>::view.count.named + 16;
    if constexpr (most > most_arguments)
        return too_many_parameters<struct batch_of_problems, takes_parameters<most>, limit_is<most_arguments>>{};
    else if constexpr (parameter_bytes_of(E::tree) > most_argument_bytes)
        return parameters_are_too_large<struct batch_of_problems, parameter_bytes<static_cast<int>(parameter_bytes_of(E::tree))>, limit_is<most_argument_bytes>>{};
    else
        return fine{};
}

// Of reports.
template <class E, class W, class Selector>
constexpr auto diagnose_report(report_by<W, Selector>) {
    if constexpr (!std::is_same_v<typename W::element, loop_outcome>)
        return reports_go_to_loop_outcomes<W>{};
    else if constexpr (!std::is_same_v<Selector, first_loop>)
        return diagnose_loop_selector<E, Selector>();
    else if constexpr (count_loops(E::tree) == 0)
        return selector_names_no_loop<first_loop>{};
    else
        return fine{};
}
template <class E>
constexpr auto diagnose_reports(list<>) {
    return fine{};
}
template <class E, class First, class... Rest>
constexpr auto diagnose_reports(list<First, Rest...>) {
    if constexpr (!is_fine<decltype(diagnose_report<E>(First{}))>)
        return diagnose_report<E>(First{});
    else
        return diagnose_reports<E>(list<Rest...>{});
}

template <class Shape, class E, class... A>
constexpr auto diagnose_batch() {
    using self = typename E::self;
    constexpr int first = first_true<std::is_void_v<typename as_slices<A>::type>...>();
    if constexpr (!is_fine<decltype(diagnose_batch_shape<Shape>())>)
        return diagnose_batch_shape<Shape>();
    else if constexpr (!is_fine<decltype(diagnose_parts<self>())>)
        return diagnose_parts<self>();
    else if constexpr (!is_fine<decltype(diagnose_problem_group<self>(static_cast<const Shape*>(nullptr)))>)
        return diagnose_problem_group<self>(static_cast<const Shape*>(nullptr));
    else if constexpr (!is_fine<decltype(diagnose_parameters<self>())>)
        return diagnose_parameters<self>();
    else if constexpr (first < static_cast<int>(sizeof...(A)))
        return about_variable<not_of_each_problem>(word_at<first>(list<A...>{}));
    else if constexpr (!is_fine<decltype(diagnose_reports<self>(all_reports(list<typename as_slices<A>::type...>{})))>)
        return diagnose_reports<self>(all_reports(list<typename as_slices<A>::type...>{}));
    else
        return diagnose_problems<self>(all_slices(list<typename as_slices<A>::type...>{}));
}

template <class Shape, class E>
struct batch_builder;
template <class Shape, class E>
constexpr arguments_are_missing<struct batch_of_problems> why_no_expression(const batch_builder<Shape, E>*) {
    return {};
}

template <class Shape, class E>
    requires(!expression<E>)
auto batch(Shape, E const&) -> decltype(mistake_of<struct batch_call, Shape, E>(why_no_expression(static_cast<const E*>(nullptr))));
template <class... A>
auto batch(A const&...) -> mistake<arguments_are_not_those_of<struct batch_call, A...>, struct write_batch_over_problems_expression_and_then_of_each>;

}  // namespace cograph::core
