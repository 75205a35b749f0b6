// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/loop_options.hpp>
#include <cograph/expr/control/races.hpp>
#include <cograph/expr/refused/control/bodies.hpp>
#include <cograph/expr/refused/control/conditions.hpp>
#include <cograph/expr/refused/control/order.hpp>

namespace cograph::core {

// Rules of loops: their predicates, bodies and options.

// The variables of a predicate, each once.
template <class... V>
constexpr auto variables_of(list<>, list<V...>) {
    return predicate_never_changes<V...>{};
}
template <class P, class F, class... V, class... Rest>
constexpr list<formula_argument_t<V>..., Rest...> in_front_of(list<Rest...>, const host_value<P, F, V...>*) {
    return {};
}
template <class A, class... Rest, class... V>
constexpr auto variables_of(list<A, Rest...>, list<V...> known) {
    if constexpr (access_argument<A>)
        return add_variable(decltype(variable_of(static_cast<const A*>(nullptr))){}, list<Rest...>{}, known);
    else if constexpr (is_host_value<A>)
        return variables_of(in_front_of(list<Rest...>{}, static_cast<const A*>(nullptr)), known);
    else
        return variables_of(list<Rest...>{}, known);
}
template <class W, class... Rest, class... V>
constexpr auto add_variable(word<W>, list<Rest...> rest, list<V...> known) {
    if constexpr ((std::is_same_v<V, W> || ...))
        return variables_of(rest, known);
    else
        return variables_of(rest, list<V..., W>{});
}

// Whether a loop can end.
template <class Body, class... A>
constexpr auto diagnose_progress(const condition<A...>*) {
    if constexpr (can_change(arguments_of<A...>, sizeof...(A), Body::tree))
        return fine{};
    else
        return variables_of(list<A...>{}, list<>{});
}

template <class Loop, class Body>
constexpr auto diagnose_body() {
    if constexpr (!expression<Body>)
        return why_no_expression(static_cast<const Body*>(nullptr));
    else if constexpr (Body::leaves == 0)
        return loop_body_is_empty<Loop>{};
    else
        return diagnose_in_bodies<Body>();
}

// The place of an expression or a predicate.
template <class A>
    requires is_loop_option<A>
constexpr loop_option_is_not_last why_no_expression(const A*) {
    return {};
}
template <class A>
    requires is_loop_option<A>
constexpr loop_option_is_not_last why_no_predicate(const A*) {
    return {};
}

template <class Given>
constexpr auto why_no_loop_option() {
    if constexpr (expression<Given>)
        return without_seq(first_name(static_cast<const Given*>(nullptr)));
    else
        return not_a_loop_option<Given>{};
}

// Whether the loop options of a loop make sense. CanSkip: tests may be left out.
template <class Loop, bool CanSkip, class First, class Second, class... More>
constexpr auto diagnose_loop_options() {
    using all = loop_options<First, Second, More...>;
    if constexpr (!is_loop_option<First>)
        return why_no_loop_option<First>();
    else if constexpr (!is_loop_option<Second>)
        return why_no_loop_option<Second>();
    else if constexpr (all::limits > 1 || all::intervals > 1 || all::grids > 1 || all::blocks > 1)
        return loop_option_is_repeated<Loop>{};
    else if constexpr (!is_fine<decltype(all::fault())>)
        return all::fault();
    else if constexpr (all::every < 1)
        return tests_need_an_iteration_between_them<all::every>{};
    else if constexpr (all::every > 1 && !CanSkip)
        return repeat_tests_every_iteration<Loop>{};
    else
        return fine{};
}

}  // namespace cograph::core
