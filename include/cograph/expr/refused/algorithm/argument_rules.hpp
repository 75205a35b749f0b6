// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/host_value.hpp>
#include <cograph/expr/function/operations.hpp>
#include <cograph/expr/refused/algorithm/function_nodes.hpp>
#include <cograph/expr/refused/algorithm/library_calls.hpp>

namespace cograph::core {

// Rules of arguments, for nodes of one file. The stage of such a node has a list of them, `takes`, with one for each
// argument of its call. diagnose_argument answers for a rule; its list ends with the argument that is asked about.

// The array that the node writes.
struct written_array {};
// What each element of the array before it becomes: a literal, a value variable, a scalar, or a formula that the host computes.
struct value_of_its_elements {};

// None of the rule's arguments.
struct not_taken {};
template <class Node, class Rule, class... A>
constexpr not_taken diagnose_argument(word<Rule>, list<A...>) {
    return {};
}

template <class Node, in_memory X>
constexpr fine diagnose_argument(word<written_array>, list<out_t<X>>) {
    return {};
}

template <class T, class Element>
inline constexpr bool fills = std::is_convertible_v<T, Element>;
template <variable T, class Element>
inline constexpr bool fills<T, Element> =
    (T::kind == variable_kind::value || T::kind == variable_kind::scalar) && std::is_convertible_v<typename T::element, Element>;
template <class Node, class X, class T>
    requires fills<T, typename X::element>
constexpr auto diagnose_argument(word<value_of_its_elements>, list<out_t<X>, T>) {
    if constexpr (is_assigned<typename X::element>)
        return fine{};
    else
        return elements_cannot_be_assigned<typename X::element>{};
}
template <class Node, class X, class Operation, class... T>
constexpr auto diagnose_argument(word<value_of_its_elements>, list<out_t<X>, formula<Operation, T...>>) {
    if constexpr (!is_host_formula<formula<Operation, T...>>)
        return given_formula(word<Node>{}, word<given<formula<Operation, T...>>>{});
    else if constexpr (is_number_on_host<typename X::element>)
        return fine{};
    else
        return not_taken{};
}

// The first argument that breaks its rule.
template <class Node, class... Before>
constexpr fine diagnose_arguments(list<>, list<Before...>, list<>) {
    return {};
}
template <class Node, class Rule, class... Rules, class... Before, class A, class... Rest>
constexpr auto diagnose_arguments(list<Rule, Rules...>, list<Before...>, list<A, Rest...>) {
    constexpr auto found = diagnose_argument<Node>(word<Rule>{}, list<Before..., A>{});
    if constexpr (is_fine<std::remove_const_t<decltype(found)>>)
        return diagnose_arguments<Node>(list<Rules...>{}, list<Before..., A>{}, list<Rest...>{});
    else
        return found;
}
template <class Node, class... Rule, class... A>
constexpr auto diagnose_node_call(list<Rule...> rules, list<A...> given) {
    if constexpr (sizeof...(Rule) != sizeof...(A))
        return wrong_arguments<Node, A...>();
    else if constexpr (std::is_same_v<decltype(diagnose_arguments<Node>(rules, list<>{}, given)), not_taken>)
        return wrong_arguments<Node, A...>();
    else
        return diagnose_arguments<Node>(rules, list<>{}, given);
}

// Whether a node takes these arguments; whether its refused call does.
template <class Node, class... A>
concept takes = is_fine<decltype(diagnose_node_call<Node>(typename Node::takes{}, list<A...>{}))>;
template <class Node, class... A>
concept refuses = of_variables<A...> && !takes<Node, A...>;

}  // namespace cograph::core
