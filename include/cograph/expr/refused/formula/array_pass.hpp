// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/groups.hpp>
#include <cograph/expr/refused/control/loop_rules.hpp>

#include <utility>

namespace cograph::core {

// Whether a loop can end whose predicate reads arrays: the inputs of its passes may change too.

template <class Predicate, class Make>
struct tested;

template <class Node, class Body>
constexpr bool pass_can_change() {
    return can_change(Node::tree.arguments, Node::tree.argument_count, Body::tree);
}
template <class Body, class... Node>
constexpr bool passes_can_change(const array_passes<Node...>*) {
    return (pass_can_change<Node, Body>() || ...);
}
template <class... A>
constexpr auto arguments_in(const condition<A...>*) {
    return list<A...>{};
}
template <class... Node>
constexpr auto arguments_in(const array_passes<Node...>*) {
    return (list<>{} + ... + operands_of(static_cast<const Node*>(nullptr)));
}
template <class... Done>
constexpr list<Done...> without_results(list<>, list<Done...> done) {
    return done;
}
template <class A, class... Rest, class... Done>
constexpr auto without_results(list<A, Rest...>, list<Done...> done) {
    if constexpr (A::describe.variable && A::describe.variable->internal)
        return without_results(list<Rest...>{}, done);
    else
        return without_results(list<Rest...>{}, list<Done..., A>{});
}
template <class Body, class P, class Make>
constexpr auto diagnose_progress(const tested<P, Make>* p) {
    constexpr const decltype(std::declval<const Make&>()(std::declval<record>()))* passes = nullptr;
    if constexpr (passes_can_change<Body>(passes) || is_fine<decltype(diagnose_progress<Body>(static_cast<const P*>(p)))>)
        return fine{};
    else
        return variables_of(without_results(arguments_in(static_cast<const P*>(nullptr)) + arguments_in(passes), list<>{}), list<>{});
}

}  // namespace cograph::core
