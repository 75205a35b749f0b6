// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/naming.hpp>
#include <cograph/plan/refused/plan_reasons.hpp>
#include <cograph/plan/report/selector.hpp>

namespace cograph::core {

// Selectors that name no node or several, and questions about edges that are asked wrongly.

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
// Arguments that may be meant as a label.
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

template <expression E, class From, class To>
auto has_edge(const E&, From, To) -> decltype(mistake_of<struct has_edge_query, E, From, To>(diagnose_selectors<typename E::self>(From{}, To{})));

template <expression E, class From, class To>
auto ordered(const E&, From, To) -> decltype(mistake_of<struct ordered_query, E, From, To>(diagnose_selectors<typename E::self>(From{}, To{})));

template <class... A>
auto has_edge(A const&...) -> mistake<arguments_are_not_those_of<struct has_edge_query, A...>, struct ask_about_an_expression_and_two_of_its_nodes>;
template <class... A>
auto ordered(A const&...) -> mistake<arguments_are_not_those_of<struct ordered_query, A...>, struct ask_about_an_expression_and_two_of_its_nodes>;

}  // namespace cograph::core
