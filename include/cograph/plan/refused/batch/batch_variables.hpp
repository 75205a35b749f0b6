// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/batch_reasons.hpp>
#include <cograph/plan/batch/problem/problem_slices.hpp>
#include <cograph/plan/refused/run.hpp>

namespace cograph::core {

// Refused variables of the problems of a batch.

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
    for (int i = 0; i < tree.argument_count; ++i) {
        has |= tree.arguments[i].of_shared_memory != 0 && tree.arguments[i].variable == of && of->kind == variable_kind::value;
        for (int v = 0; tree.arguments[i].value && v < tree.arguments[i].value->variable_count; ++v) has |= tree.arguments[i].value->variables[v] == of;
    }
    for (int i = 0; i < tree.child_count; ++i) has |= has_number_on_device(slices, *tree.children[i], of);
    return has;
}
constexpr bool is_sized_by(const variable_info* temp, const variable_info* of) {
    for (int i = 0; temp->size_by && i < temp->size_by->variable_count; ++i)
        if (temp->size_by->variables[i] == of) return true;
    return false;
}
// Whether a size never shrinks if the variables that it follows from grow.
constexpr bool never_shrinks(const size_rule& rule) {
    for (int i = 0; i < rule.part_count; ++i) {
        const size_step what = rule.parts[i].what;
        if (what == size_step::difference || what == size_step::remainder) return false;
        if ((what == size_step::quotient || what == size_step::quotient_up) && rule.parts[i - 1].what != size_step::number) return false;
        if (what == size_step::number && rule.parts[i].number < 0) return false;
    }
    return true;
}
// Whether nodes ask how many elements a temp has, or run over those.
constexpr bool is_counted(const node_spec& tree, const variable_info* temp) {
    const auto counts = [&](const variable_info* v) { return v && extent_source(v) == temp; };
    if (counts(tree.domain.variable)) return true;
    for (int i = 0; i < tree.argument_count; ++i) {
        const argument& a = tree.arguments[i];
        if (counts(a.variable) && (a.form == argument_form::extent || a.each || a.near || tree.traits->exchanges || (tree.traits->equal_extents && tree.traits->threads_of_group == 0))) return true;
        for (int v = 0; a.value && v < a.value->variable_count; ++v)
            if (counts(a.value->variables[v])) return true;
    }
    for (int i = 0; i < tree.child_count; ++i)
        if (is_counted(*tree.children[i], temp)) return true;
    return false;
}
// Whether the size of a temp follows from a number that the device knows. Working memory of groups may: its length cannot be queried, and
// it is as long as the longest part needs.
constexpr bool is_in_a_size(const slice_list& slices, const plan_view& p, const node_spec& tree, const variable_info* of) {
    for (int v = 0; v < p.count.named; ++v) {
        const variable_info* const temp = p.variables[v].info;
        if (!is_sized_by(temp, of)) continue;
        bool has_others = false;
        for (int w = 0; w < p.count.named; ++w) has_others |= is_sized_by(p.variables[w].info, temp);
        if (!slices.begins_of(of) || temp->kind != variable_kind::temp || has_others || !never_shrinks(*temp->size_by) || is_counted(tree, temp)) return true;
    }
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
        if (!a.variable || a.form != argument_form::pointer || a.variable->kind == variable_kind::scalar || !(a.each || (alike && node.traits->threads_of_group == 0))) continue;
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
        if (is_on_the_device(slices, planned.info) && (has_number_on_device(slices, E::tree, planned.info) || is_in_a_size(slices, p, E::tree, planned.info))) first.on_device = v;
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

}  // namespace cograph::core
