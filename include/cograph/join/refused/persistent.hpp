// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/lowering_queries.hpp>
#include <cograph/plan/persistent/loop/parameters.hpp>

namespace cograph::reason {

// Why a loop is not one kernel: the node at fault by its rule, and if something is counted, its number and the limit.
template <class Node>
struct is_opaque {};
template <class Node, int Bytes>
struct uses_a_scalar_of_bytes {};
template <class Node>
struct writes_memory_from_one_thread {};
template <class Node>
struct writes_a_scalar_from_many_threads {};
template <class Node>
struct writes_in_its_condition {};
template <int Count>
struct parameters_in_all {};
template <int Count>
struct bytes_of_parameters_in_all {};
template <class Node>
struct is_to_stay_nodes {};
struct is_in_no_loop {};

template <class Loop, class... Why>
struct loop_is_not_one_kernel : if_met<Loop>::template advises<struct change_the_named_node_or_accept_conditional_nodes> {};

}  // namespace cograph::reason

namespace cograph::core {

// The refusals of require_persistent.

constexpr int largest_scalar(const node_spec& tree) {
    unsigned largest = 0;
    for (int i = 0; i < tree.argument_count; ++i) {
        const variable_info* const v = tree.arguments[i].variable;
        if (v && v->kind == variable_kind::scalar && v->size > largest) largest = v->size;
    }
    return static_cast<int>(largest);
}
// The limit; results of reductions may be less large than other scalars.
constexpr int limit_of(lowering_status why, int count) {
    switch (why) {
        case lowering_status::scalar_is_large: return static_cast<int>(count > static_cast<int>(persistent_scalar_bytes) ? persistent_scalar_bytes : persistent_result_bytes);
        case lowering_status::too_many_parameters: return most_persistent_parameters;
        case lowering_status::parameters_are_large: return static_cast<int>(most_persistent_parameter_bytes);
        default: return 0;
    }
}
// The number that is too large, of the node at fault or of the loop.
constexpr int count_of(lowering_status why, const node_spec& at_fault) {
    switch (why) {
        case lowering_status::scalar_is_large: return largest_scalar(at_fault);
        case lowering_status::too_many_parameters: return parameters_once(at_fault).count;
        case lowering_status::parameters_are_large: return static_cast<int>(parameters_once(at_fault).bytes);
        default: return 0;
    }
}

// A loop of a plan that is not one kernel, and why; no node if there is none. In an expression without loops it is the first node.
struct unmet_requirement {
    int node = -1;
    obstacle found = {};
};
constexpr unmet_requirement unmet(const plan_view& p, int r) {
    const obstacle found = obstacle_of(p, r);
    const int loop = loop_around(p, r);
    return found.why == lowering_status::persistent ? unmet_requirement{} : unmet_requirement{loop < 0 ? r : loop, found};
}
constexpr unmet_requirement unmet_in(const plan_view& p) {
    bool any = false;
    for (int r = 0; r < p.count.nodes; ++r) {
        if (p.nodes[r].kind != plan_node_kind::conditional || !is_loop(p.nodes[r].control)) continue;
        any = true;
        if (const unmet_requirement first = unmet(p, r); first.node >= 0) return first;
    }
    return any ? unmet_requirement{} : unmet_requirement{0, {lowering_status::not_in_a_loop, 0}};
}

template <lowering_status Why, int Count, class Loop, class Node>
constexpr auto not_one_kernel(word<Loop>, word<Node>) {
    using enum lowering_status;
    if constexpr (Why == opaque_node)
        return loop_is_not_one_kernel<Loop, is_opaque<Node>>{};
    else if constexpr (Why == scalar_is_large)
        return loop_is_not_one_kernel<Loop, uses_a_scalar_of_bytes<Node, Count>, limit_is<limit_of(Why, Count)>>{};
    else if constexpr (Why == single_task_writes_memory)
        return loop_is_not_one_kernel<Loop, writes_memory_from_one_thread<Node>>{};
    else if constexpr (Why == element_node_writes_scalar)
        return loop_is_not_one_kernel<Loop, writes_a_scalar_from_many_threads<Node>>{};
    else if constexpr (Why == condition_writes)
        return loop_is_not_one_kernel<Loop, writes_in_its_condition<Node>>{};
    else if constexpr (Why == too_many_parameters)
        return loop_is_not_one_kernel<Loop, parameters_in_all<Count>, limit_is<limit_of(Why, Count)>>{};
    else if constexpr (Why == parameters_are_large)
        return loop_is_not_one_kernel<Loop, bytes_of_parameters_in_all<Count>, limit_is<limit_of(Why, Count)>>{};
    else if constexpr (Why == not_in_a_loop)
        return loop_is_not_one_kernel<Loop, is_in_no_loop>{};
    else
        return loop_is_not_one_kernel<Loop, is_to_stay_nodes<Node>>{};
}
template <class E, int Node, lowering_status Why, int Leaf>
constexpr auto diagnose_unmet() {
    constexpr const plan_view& p = plan_of<E>::view;
    constexpr int count = count_of(Why, *p.nodes[node_of_leaf(p, Leaf)].from);
    return not_one_kernel<Why, count>(name_of(node_at<p.nodes[Node].leaf>(word<E>{})), name_of(node_at<Leaf>(word<E>{})));
}

// The reason for the loop that a selector names, or for all loops.
template <class E, class... S>
constexpr auto diagnose_persistent() {
    if constexpr ((is_text<S> || ...)) {
        return text_of_a_label_is_no_const_char_pointer<S...>{};
    } else if constexpr (!is_fine<decltype(diagnose_selectors<E>(S{}...))>) {
        return diagnose_selectors<E>(S{}...);
    } else {
        constexpr unmet_requirement found = [] {
            if constexpr (sizeof...(S) > 0)
                return unmet(plan_of<E>::view, (select<E, S>().node, ...));
            else
                return unmet_in(plan_of<E>::view);
        }();
        if constexpr (found.node < 0)
            return fine{};
        else
            return diagnose_unmet<E, found.node, found.found.why, found.found.leaf>();
    }
}

template <expression E>
auto require_persistent(const E&) -> decltype(mistake_of<struct require_persistent_call, E>(diagnose_persistent<typename E::self>()));
template <expression E, class S>
auto require_persistent(const E&, S) -> decltype(mistake_of<struct require_persistent_call, E, S>(diagnose_persistent<typename E::self, S>()));
template <class... A>
auto require_persistent(A const&...) -> mistake<arguments_are_not_those_of<struct require_persistent_call, A...>, struct write_require_persistent_expression_and_perhaps_a_selector_or_label>;
template <class... A>
auto has_conditional_nodes(A const&...) -> mistake<arguments_are_not_those_of<struct has_conditional_nodes_query, A...>, struct query_one_expression>;

// The same at run time, of a loop that is named by its label.
[[noreturn]] inline void refuse_persistent(place loop, place at_fault, lowering_status why, int count) {
    char text[400], counted[80] = "";
    if (count > 0) std::snprintf(counted, sizeof counted, " (%d; the most is %d)", count, limit_of(why, count));
    std::snprintf(text, sizeof text, "is to be one kernel, and '%.*s' %s%s", static_cast<int>(at_fault.name.size), at_fault.name.data, words_of(why).clause, counted);
    throw error(loop, text);
}

}  // namespace cograph::core
