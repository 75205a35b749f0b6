// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/kernel.hpp>
#include <cograph/plan/bind/plan_reasons.hpp>
#include <cograph/plan/tables/plan.hpp>

namespace cograph::core {

// Questions about two nodes of an expression.

// Selects the node at a position in program order; loops and branches count, and come before their bodies.
template <int N>
struct at_t {
    static constexpr bool matches(const plan_node& r) { return r.position == N; }
};
template <int N>
inline constexpr at_t<N> at{};

// Selects the node whose function object is of type F.
template <class F>
struct calls_t {
    static constexpr bool matches(const plan_node& r) { return r.from->identity == &identity_of_type<F>; }
};
template <class F>
inline constexpr calls_t<F> calls{};

template <class S>
constexpr bool selects(S, const plan_node& r) {
    return r.kind != plan_node_kind::condition && r.copy == 0 && S::matches(r);
}
template <auto F, auto Host>
constexpr bool selects(kernel_t<F, Host>, const plan_node& r) {
    return r.kind == plan_node_kind::work && r.copy == 0 && r.from->identity == &identity_of_function<F>;
}

// How many nodes a selector selects, and the node of the last.
struct selection_result {
    int count = 0, node = 0;
};
template <class E, class S>
constexpr selection_result select() {
    const plan_view& p = plan_of<E>::view;
    selection_result found;
    for (int r = 0; r < p.count.nodes; ++r)
        if (selects(S{}, p.nodes[r])) found = {found.count + 1, r};
    return found;
}

template <class S>
constexpr word<S> selector_word(S) {
    return {};
}
template <auto F, auto Host>
constexpr word<kernel_function<F>> selector_word(kernel_t<F, Host>) {
    return {};
}
template <int Found, int Leaves, class S>
constexpr auto selects_wrongly(word<S>) {
    if constexpr (Found == 0)
        return selector_matches_nothing<S, among_nodes<Leaves>>{};
    else
        return selector_matches_several<S, all_of_nodes<Found>>{};
}
// Whether each selector names one node.
template <class E>
constexpr auto diagnose_selectors() {
    return fine{};
}
template <class S>
inline constexpr bool is_selector = requires(const plan_node& r) { S::matches(r); };
template <auto F, auto Host>
inline constexpr bool is_selector<kernel_t<F, Host>> = true;
// What may be meant as a label.
template <class S>
inline constexpr bool is_text = requires(const S& text) { static_cast<const char*>(text.data()); };

template <class E, class S, class... Rest>
    requires(!is_selector<S>)
constexpr auto diagnose_selectors(S, Rest...) {
    return not_a_selector<S>{};
}
template <class E, class S, class... Rest>
    requires is_selector<S>
constexpr auto diagnose_selectors(S selector, Rest... rest) {
    constexpr int found = select<E, S>().count;
    if constexpr (found == 1)
        return diagnose_selectors<E>(rest...);
    else
        return selects_wrongly<found, E::leaves>(selector_word(selector));
}
template <class E, class... S>
concept selectable = is_fine<decltype(diagnose_selectors<typename E::self>(S{}...))>;

// Whether the plan keeps an edge between two nodes.
template <expression E, class From, class To>
    requires selectable<E, From, To>
constexpr bool has_edge(const E&, From, To) {
    const plan_view& p = plan_of<typename E::self>::view;
    const plan_node& to = p.nodes[select<typename E::self, To>().node];
    for (int e = to.first_edge; e < to.first_edge + to.edge_count; ++e)
        if (p.edges[e] == select<typename E::self, From>().node) return true;
    return false;
}
template <expression E, class From, class To>
auto has_edge(const E&, From, To) -> decltype(mistake_of<struct has_edge_query, E, From, To>(diagnose_selectors<typename E::self>(From{}, To{})));

// Whether edges lead from one node to another of the same region.
template <expression E, class From, class To>
    requires selectable<E, From, To>
constexpr bool ordered(const E&, From, To) {
    using plan = plan_of<typename E::self>;
    const int from = select<typename E::self, From>().node;
    const int to = select<typename E::self, To>().node;
    bool behind[plan::size.nodes + 1]{};
    behind[from] = true;
    for (int r = plan::view.nodes[from].next; r >= 0; r = plan::view.nodes[r].next)
        for (int e = plan::view.nodes[r].first_edge; e < plan::view.nodes[r].first_edge + plan::view.nodes[r].edge_count; ++e)
            behind[r] = behind[r] || behind[plan::view.edges[e]];
    return from != to && behind[to];
}
template <expression E, class From, class To>
auto ordered(const E&, From, To) -> decltype(mistake_of<struct ordered_query, E, From, To>(diagnose_selectors<typename E::self>(From{}, To{})));

template <class... A>
auto has_edge(A const&...) -> mistake<arguments_are_not_those_of<struct has_edge_query, A...>, struct ask_about_an_expression_and_two_of_its_nodes>;
template <class... A>
auto ordered(A const&...) -> mistake<arguments_are_not_those_of<struct ordered_query, A...>, struct ask_about_an_expression_and_two_of_its_nodes>;

}  // namespace cograph::core
