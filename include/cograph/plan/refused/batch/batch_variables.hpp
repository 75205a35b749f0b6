// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/batch_reasons.hpp>
#include <cograph/plan/batch/problem/problem_counts.hpp>
#include <cograph/plan/batch/problem/problem_variables.hpp>
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
// Whether the host must know a number that differs from problem to problem: for boxes and the like, and for shared memory of groups.
constexpr bool is_over(const value_rule* formula, const variable_info* of) {
    for (int v = 0; formula && v < formula->variable_count; ++v)
        if (formula->variables[v] == of) return true;
    return false;
}
constexpr bool has_number_on_device(const node_spec& tree, const variable_info* of) {
    bool has = tree.domain.variable == of && of->kind == variable_kind::value && (tree.traits->every != 1 || tree.traits->box_rank > 1 || tree.traits->has_length);
    for (int i = 0; i < tree.argument_count; ++i) {
        const argument& a = tree.arguments[i];
        has |= a.of_shared_memory != 0 && ((a.variable == of && of->kind == variable_kind::value) || is_over(a.value, of));
    }
    for (int i = 0; i < tree.child_count; ++i) has |= has_number_on_device(*tree.children[i], of);
    return has;
}
constexpr bool is_sized_by(const variable_info* temp, const variable_info* of) {
    for (int i = 0; temp->size_by && i < temp->size_by->variable_count; ++i)
        if (temp->size_by->variables[i] == of) return true;
    return false;
}
// The same over the number of elements of a variable, of which others may have as many.
constexpr bool is_sized_by_as_many(const variable_info* temp, const variable_info* as) {
    for (int i = 0; temp->size_by && i < temp->size_by->variable_count; ++i)
        if (temp->size_by->variables[i] && extent_source(temp->size_by->variables[i]) == as) return true;
    return false;
}
// Whether nodes ask how many elements a temp has, or run over those.
constexpr bool is_counted(const node_spec& tree, const variable_info* temp) {
    const auto counts = [&](const variable_info* v) { return v && extent_source(v) == temp; };
    if (counts(tree.domain.variable)) return true;
    for (int i = 0; i < tree.argument_count; ++i) {
        const argument& a = tree.arguments[i];
        if (counts(a.variable) && (a.form == argument_form::extent || a.each || a.near || tree.traits->exchanges || (tree.traits->equal_extents && tree.traits->threads_of_group == 0))) return true;
    }
    for (int i = 0; i < tree.child_count; ++i)
        if (is_counted(*tree.children[i], temp)) return true;
    return false;
}
// Whether arguments are formulas over the number of its elements: the host computes them.
constexpr bool is_in_a_formula(const node_spec& tree, const variable_info* temp) {
    for (int i = 0; i < tree.argument_count; ++i) {
        const value_rule* const value = tree.arguments[i].value;
        for (int v = 0; value && v < value->variable_count; ++v)
            if (value->variables[v] && extent_source(value->variables[v]) == temp) return true;
    }
    for (int i = 0; i < tree.child_count; ++i)
        if (is_in_a_formula(*tree.children[i], temp)) return true;
    return false;
}
// Whether a declaration says the formula of a number of elements: the device can compute it, too.
template <class... V>
constexpr bool is_declared(list<V...>, const variable_info* variable) {
    return ((sized_by_formula<V> && &info_of<V> == variable) || ...);
}
// Whether the size of a temp, or a number of elements, follows from a number that the device knows, and cannot be computed there. The host takes
// memory for the longest part. Working memory of groups is as long as that needs: its length cannot be queried.
template <class E>
constexpr bool is_in_a_size(const slice_list& slices, const plan_view& p, const node_spec& tree, const variable_info* of) {
    for (int v = 0; v < p.count.named; ++v) {
        const variable_info* const temp = p.variables[v].info;
        if (!is_sized_by(temp, of)) continue;
        bool has_others = false;
        for (int w = 0; w < p.count.named; ++w) {
            const variable_info* const other = p.variables[w].info;
            has_others |= is_sized_by(other, temp) || (is_sized_by_as_many(other, temp) && is_counted(tree, other));
        }
        const bool has_memory = temp->kind != variable_kind::count || temp->size_by->compute != &compute_size;
        if (has_memory && (!slices.begins_of(of) || !never_shrinks(*temp->size_by))) return true;
        if (has_others || is_in_a_formula(tree, temp)) return true;
        if (is_counted(tree, temp) && !is_declared(variables_below<E>{}, temp)) return true;
    }
    return false;
}
// What the number of elements of a variable follows from, if the device knows it: the begins of parts, a formula, or a value of each problem.
struct known_length {
    const variable_info *begins = nullptr, *formula = nullptr, *value = nullptr;
    constexpr explicit operator bool() const { return begins || formula || value; }
    constexpr bool operator==(const known_length& other) const {
        const bool alike = formula && other.formula && are_same(*formula->size_by, *other.formula->size_by);
        return begins == other.begins && value == other.value && (formula == other.formula || alike);
    }
};
constexpr known_length length_on_device(const slice_list& slices, const variable_info* v) {
    if (!v) return {};
    if (v->kind == variable_kind::value) return {nullptr, nullptr, slices.whole_of(v) ? v : nullptr};
    return {slices.begins_of(v), slices.formula_of(v), nullptr};
}
// A node that takes an element of an array whose length differs from problem to problem runs over as many elements. If these are counted by a formula or
// a value, problems find by themselves whether parts are long enough. Gives the other array.
constexpr const variable_info* differing_part(const slice_list& slices, const node_spec& node) {
    const bool counts = node.kind == spec_kind::work && node.traits->counts_elements;
    const bool alike = node.kind != spec_kind::work || node.traits->equal_extents || node.traits->exchanges;
    known_length first = counts ? length_on_device(slices, node.domain.variable) : known_length{};
    bool is_first = !counts;
    for (int i = 0; i < node.argument_count; ++i) {
        const argument& a = node.arguments[i];
        if (!a.variable || a.form != argument_form::pointer || a.variable->kind == variable_kind::scalar || !(a.each || a.near || (alike && node.traits->threads_of_group == 0))) continue;
        const known_length own = length_on_device(slices, a.variable);
        if (is_first) first = own;
        is_first = false;
        if (own == first) continue;
        if (alike || own.formula || (own.begins && !first.formula && !first.value)) return a.variable;
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
        if (slices.differs(planned.info) && (has_number_on_device(E::tree, planned.info) || is_in_a_size<E>(slices, p, E::tree, planned.info))) first.on_device = v;
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
