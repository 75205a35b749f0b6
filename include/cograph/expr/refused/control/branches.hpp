// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/control/bodies.hpp>
#include <cograph/expr/refused/control/conditions.hpp>
#include <cograph/expr/refused/control/order.hpp>

namespace cograph::core {

// Refused calls of otherwise, when and switch_on.

template <class Body>
struct otherwise_t;
template <class T>
inline constexpr bool is_otherwise = false;
template <class Body>
inline constexpr bool is_otherwise<otherwise_t<Body>> = true;
template <class Body>
constexpr auto as_a_case(word<Body>) {
    return switch_on_has_no_otherwise<Body>{};
}
template <class Body>
constexpr auto as_a_case(const otherwise_t<Body>*) {
    return as_a_case(first_name(static_cast<const Body*>(nullptr)));
}

// Whether the host can see a decision.
template <class... Bodies>
constexpr fine diagnose_decision(const void*) {
    return {};
}
template <bool Selects, class P, class... Bodies>
constexpr auto diagnose_branches_of() {
    if constexpr (Selects && (is_otherwise<Bodies> || ...))
        return as_a_case(static_cast<const typename pick_type<first_true<is_otherwise<Bodies>...>(), Bodies...>::type*>(nullptr));
    else if constexpr (!is_fine<decltype(diagnose_condition<Selects, P>())>)
        return diagnose_condition<Selects, P>();
    else if constexpr (!is_fine<decltype(diagnose_members<Bodies...>())>)
        return diagnose_members<Bodies...>();
    else if constexpr ((is_host_driven_body(Bodies::tree) || ...))
        return diagnose_decision<Bodies...>(condition_of<P>);
    else
        return diagnose_in_bodies<Bodies...>();
}
// Concepts, since cograph/host_driven.hpp has calls that are refused without it.
template <bool Selects, class P, class... Bodies>
concept refused_branch = !is_fine<decltype(diagnose_branches_of<Selects, P, Bodies...>())>;

template <class Body>
constexpr auto alone(word<Body>) {
    return otherwise_without_when<Body>{};
}
template <class Body>
constexpr auto why_no_expression(const otherwise_t<Body>*) {
    return alone(first_name(static_cast<const Body*>(nullptr)));
}
template <class Body>
constexpr auto bare_branch(word<Body>) {
    return second_branch_is_bare<Body>{};
}

template <class Body>
    requires(!expression<Body>)
auto otherwise(Body const&) -> decltype(mistake_of<struct otherwise_call, Body>(why_no_expression(static_cast<const Body*>(nullptr))));
template <class Body, expression Second, class... More>
auto otherwise(Body const&, Second const& second, More const&...) -> decltype(mistake_of<struct otherwise_call, Body, Second, More...>(without_seq(first_name(&second))));
template <class... A>
auto otherwise(A const&...) -> mistake<arguments_are_not_those_of<struct otherwise_call, A...>, struct write_otherwise_expression>;

template <class P, class Then>
    requires refused_branch<false, P, Then>
auto when(P, Then const&, const char* = nullptr, unsigned = 0) -> decltype(mistake_of<struct when_call, P, Then>(diagnose_branches_of<false, P, Then>()));

template <class P, class Then, class Else>
    requires refused_branch<false, P, Then, Else>
auto when(P, Then const&, otherwise_t<Else> const&, const char* = nullptr, unsigned = 0) -> decltype(mistake_of<struct when_call, P, Then, Else>(diagnose_branches_of<false, P, Then, Else>()));
template <class P, class Then, expression Else>
auto when(P, Then const&, Else const& other) -> decltype(mistake_of<struct when_call, P, Then, otherwise_t<Else>>(bare_branch(first_name(&other))));
template <class P, class Then, expression Second, class... More>
    requires(sizeof...(More) > 0)
auto when(P, Then const&, Second const& second, More const&...) -> decltype(mistake_of<struct when_call, P, Then, Second, More...>(without_seq(first_name(&second))));
template <class... A>
auto when(A const&...) -> mistake<arguments_are_not_those_of<struct when_call, A...>, struct write_when_predicate_expression_otherwise_expression>;

template <class P, class First, class... Rest>
    requires refused_branch<true, P, First, Rest...>
auto switch_on(P, First const&, Rest const&...) -> decltype(mistake_of<struct switch_on_call, P, First, Rest...>(diagnose_branches_of<true, P, First, Rest...>()));
template <class... A>
auto switch_on(A const&...) -> mistake<arguments_are_not_those_of<struct switch_on_call, A...>, struct write_switch_on_selector_and_one_expression_a_case>;

}  // namespace cograph::core
