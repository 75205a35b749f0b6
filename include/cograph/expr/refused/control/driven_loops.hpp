// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/control/branches.hpp>
#include <cograph/expr/refused/control/loops.hpp>

namespace cograph::core {

// Loops and branches that are refused unless the host decides about them, and refused calls of host_driven.

template <class... Bodies>
constexpr bool needs_host() {
    if constexpr ((expression<Bodies> && ...))
        return !(is_host_driven_body(Bodies::tree) || ...) && !is_fine<decltype(diagnose_in_bodies<Bodies...>())>;
    else
        return false;
}
template <class... Bodies>
concept bodies_for_the_host = needs_host<Bodies...>();
// A body that is no expression stays as it is: clang++ 14 looks at the types of an overload before its constraints.
template <class Body>
struct driven_by_the_host {
    using type = Body;
};
template <expression Body>
struct driven_by_the_host<Body> {
    using type = group<group_kind::host_driven, Body>;
};
template <class Body>
using driven_body = typename driven_by_the_host<Body>::type;

template <class Loop, class P, class Body, class First, class Second>
concept loop_for_the_host = refused_loop<Loop, P, Body, First, Second> && bodies_for_the_host<Body>;
template <class Loop, class P, class Body, class First, class Second>
concept driven_loop = loop_for_the_host<Loop, P, Body, First, Second> && !refused_loop<Loop, P, driven_body<Body>, First, Second>;
template <class N, class Body, class Limit>
concept repeat_for_the_host = refused_repeat<N, Body, Limit> && bodies_for_the_host<Body>;
template <class N, class Body, class Limit>
concept driven_repeat = repeat_for_the_host<N, Body, Limit> && !refused_repeat<N, driven_body<Body>, Limit>;
template <index_t N, class Body, class Limit>
concept fixed_repeat_for_the_host = refused_fixed_repeat<N, Body, Limit> && bodies_for_the_host<Body>;
template <index_t N, class Body, class Limit>
concept driven_fixed_repeat = fixed_repeat_for_the_host<N, Body, Limit> && !refused_fixed_repeat<N, driven_body<Body>, Limit>;

template <bool Selects, class P, class... Bodies>
concept branch_for_the_host = refused_branch<Selects, P, Bodies...> && bodies_for_the_host<Bodies...>;
template <bool Selects, class P, class... Bodies>
concept driven_branch = branch_for_the_host<Selects, P, Bodies...> && !refused_branch<Selects, P, driven_body<Bodies>...>;

// Further mistakes in such a loop or branch.
template <class P, class Body, class First = no_loop_option, class Second = no_loop_option>
    requires loop_for_the_host<while_loop, P, Body, First, Second>
auto loop_while(P, Body const&, First = {}, Second = {}, const char* = nullptr, unsigned = 0)
    -> decltype(mistake_of<struct loop_while_call, P, driven_body<Body>, First, Second>(diagnose_loop<while_loop, P, driven_body<Body>, First, Second>()));
template <class Body, class P, class First = no_loop_option, class Second = no_loop_option>
    requires loop_for_the_host<do_loop, P, Body, First, Second>
auto do_while(Body const&, P, First = {}, Second = {}, const char* = nullptr, unsigned = 0)
    -> decltype(mistake_of<struct do_while_call, P, driven_body<Body>, First, Second>(diagnose_loop<do_loop, P, driven_body<Body>, First, Second>()));
template <class N, class Body, class Limit = no_loop_option>
    requires repeat_for_the_host<N, Body, Limit>
auto repeat(N, Body const&, Limit = {}, const char* = nullptr, unsigned = 0)
    -> decltype(mistake_of<struct repeat_call, N, driven_body<Body>, Limit>(diagnose_repeat<N, driven_body<Body>, Limit>()));
template <index_t N, class Body, class Limit = no_loop_option>
    requires fixed_repeat_for_the_host<N, Body, Limit>
auto repeat(Body const&, Limit = {}, const char* = nullptr, unsigned = 0)
    -> decltype(mistake_of<struct repeat_call, driven_body<Body>, Limit>(diagnose_repeat<N, driven_body<Body>, Limit>()));

template <class P, class Then>
    requires branch_for_the_host<false, P, Then>
auto when(P, Then const&, const char* = nullptr, unsigned = 0) -> decltype(mistake_of<struct when_call, P, driven_body<Then>>(diagnose_branches_of<false, P, driven_body<Then>>()));
template <class P, class Then, class Else>
    requires branch_for_the_host<false, P, Then, Else>
auto when(P, Then const&, otherwise_t<Else> const&, const char* = nullptr, unsigned = 0)
    -> decltype(mistake_of<struct when_call, P, driven_body<Then>, driven_body<Else>>(diagnose_branches_of<false, P, driven_body<Then>, driven_body<Else>>()));
template <class P, class First, class... Rest>
    requires branch_for_the_host<true, P, First, Rest...>
auto switch_on(P, First const&, Rest const&...)
    -> decltype(mistake_of<struct switch_on_call, P, driven_body<First>, driven_body<Rest>...>(diagnose_branches_of<true, P, driven_body<First>, driven_body<Rest>...>()));

template <class E>
    requires(!expression<E>)
auto host_driven(E const&) -> decltype(mistake_of<struct host_driven_call, E>(why_no_expression(static_cast<const E*>(nullptr))));

}  // namespace cograph::core
