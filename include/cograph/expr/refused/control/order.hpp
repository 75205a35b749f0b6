// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/groups.hpp>
#include <cograph/expr/control/races.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>

#include <concepts>

namespace cograph::core {

// Refused calls of seq, par, label and as_nodes.

// Arguments that a user may have meant as an expression.
template <class T>
constexpr not_an_expression<T> why_no_expression(const T*) {
    return {};
}

template <class... E>
concept all_expressions = requires { typename list<typename E::self...>; };

template <class E>
constexpr auto why_none(word<E>) {
    return decltype(why_no_expression(static_cast<const E*>(nullptr))){};
}
template <class... E>
constexpr auto diagnose_members() {
    constexpr int first = first_true<!expression<E>...>();
    if constexpr (first == sizeof...(E))
        return fine{};
    else
        return why_none(word_at<first>(list<E...>{}));
}

template <class... E>
    requires(!all_expressions<E...>)
auto seq(E const&...) -> decltype(mistake_of<struct seq_call, E...>(diagnose_members<E...>()));

// Whether the branches of par are independent.
template <int First, int Second, class A, class B, class V>
constexpr auto race_between(word<A>, word<B>, word<V>) {
    return branches_race_on<V, in_branch<First + 1, A>, in_branch<Second + 1, B>>{};
}
template <class... E>
    requires(first_true<!expression<E>...>() == sizeof...(E))
constexpr auto diagnose_branches() {
    constexpr race conflict = find_race<count_accesses(family<E...>::trees, sizeof...(E))>(family<E...>::trees, sizeof...(E));
    if constexpr (conflict.found) {
        constexpr auto first = node_among<conflict.first.leaf>(list<E...>{});
        constexpr auto second = node_among<conflict.second.leaf>(list<E...>{});
        return race_between<conflict.first.branch, conflict.second.branch>(name_of(first), name_of(second),
                                                                           variable_at<conflict.first.argument>(first));
    } else {
        return fine{};
    }
}
template <class... E>
constexpr auto diagnose_branches() {
    return diagnose_members<E...>();
}

template <class... E>
    requires(!is_fine<decltype(diagnose_branches<E...>())>)
auto par(E const&...) -> decltype(mistake_of<struct par_call, E...>(diagnose_branches<E...>()));
template <class... A>
auto par(A const&...) -> mistake<arguments_are_not_those_of<struct par_call, A...>, struct write_par_and_its_branches>;

template <class Given>
constexpr auto wrong_text(word<Given>) {
    return text_of_a_label_is_no_const_char_pointer<Given>{};
}
template <class Node>
constexpr auto swapped_label(word<Node>) {
    return text_and_expression_are_swapped<Node>{};
}

template <std::convertible_to<const char*> Text, class E>
    requires(!expression<E>)
auto label(Text, E) -> decltype(mistake_of<struct label_call, Text, E>(why_no_expression(static_cast<const E*>(nullptr))));
template <std::convertible_to<const char*> Text, class E, expression Second, class... More>
auto label(Text, E const&, Second const& second, More const&...) -> decltype(mistake_of<struct label_call, Text, E, Second, More...>(without_seq(first_name(&second))));
template <expression E, std::convertible_to<const char*> Text>
auto label(E const& e, Text) -> decltype(mistake_of<struct label_call, E, Text>(swapped_label(first_name(&e))));
template <class Text, expression E>
    requires(!std::convertible_to<Text, const char*>)
auto label(Text const& text, E const&) -> decltype(mistake_of<struct label_call, Text, E>(wrong_text(given_word(&text))));
template <class... A>
auto label(A const&...) -> mistake<arguments_are_not_those_of<struct label_call, A...>, struct write_label_text_expression>;

template <class E>
    requires(!expression<E>)
auto as_nodes(E const&) -> decltype(mistake_of<struct as_nodes_call, E>(why_no_expression(static_cast<const E*>(nullptr))));
template <class E, expression Second, class... More>
auto as_nodes(E const&, Second const& second, More const&...) -> decltype(mistake_of<struct as_nodes_call, E, Second, More...>(without_seq(first_name(&second))));

}  // namespace cograph::core
