// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/all_but_operators.hpp>
#include <cograph/expr/refused/control/driven_loops.hpp>
#include <cograph/plan/lowering/lowering_queries.hpp>
#include <cograph/plan/refused/host_driven.hpp>

// Loops and branches that the host decides about. cograph/host_driven.cuh instantiates them.

namespace cograph::core {

// The body of a loop that the host drives: loop_while(rr > tol, host_driven(seq(...)), check_every<8>). Its
// iterations are a graph, and the host reads the predicate after them. It may contain nodes that no conditional node
// may hold: host functions, events, copies of pageable memory, and calls that put host work into a capture. Loops in
// it that can stay on the device do. Also a branch: when(it % 100 == 0, host_driven(host(print)(in(rr)))).
template <expression E>
constexpr group<group_kind::host_driven, E> host_driven(E const& e) {
    return make_group<group_kind::host_driven>(e);
}

// In a program that includes this header, the host decides about each loop and branch that holds such a node, without being
// asked, and about the loops and branches around it. All others are as before.
template <class P, class Body, class First = no_loop_option, class Second = no_loop_option>
    requires driven_loop<while_loop, P, Body, First, Second>
constexpr auto loop_while(P p, Body const& body, First first = {}, Second second = {}, const char* file = __builtin_FILE(),
                          unsigned line = __builtin_LINE()) {
    return make_loop<while_loop>(file, line, as_predicate(p), host_driven(body), first, second);
}
template <class Body, class P, class First = no_loop_option, class Second = no_loop_option>
    requires driven_loop<do_loop, P, Body, First, Second>
constexpr auto do_while(Body const& body, P p, First first = {}, Second second = {}, const char* file = __builtin_FILE(),
                        unsigned line = __builtin_LINE()) {
    return make_loop<do_loop>(file, line, as_predicate(p), host_driven(body), first, second);
}
template <class N, class Body, class Limit = no_loop_option>
    requires driven_repeat<N, Body, Limit>
constexpr auto repeat(N n, Body const& body, Limit limit = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_loop<counted_loop>(file, line, as_iteration_count(n), host_driven(body), limit, no_loop_option{});
}
template <index_t N, class Body, class Limit = no_loop_option>
    requires driven_fixed_repeat<N, Body, Limit>
constexpr auto repeat(Body const& body, Limit limit = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return repeat(N, host_driven(body), limit, file, line);
}

template <class P, class Then>
    requires driven_branch<false, P, Then>
constexpr auto when(P p, Then const& then, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_control<branch>({nullptr, file, line, {}}, as_predicate(p), host_driven(then));
}
template <class P, class Then, class Else>
    requires driven_branch<false, P, Then, Else>
constexpr auto when(P p, Then const& then, otherwise_t<Else> const& other, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_control<branch>({nullptr, file, line, {}}, as_predicate(p), host_driven(then), host_driven(other.body));
}
template <class P, class First, class... Rest>
    requires driven_branch<true, P, First, Rest...>
constexpr auto switch_on(P p, First const& first, Rest const&... rest) {
    return switch_on(p, host_driven(first), host_driven(rest)...);
}

// Whether the host decides about a branch, or drives the loop that a node is or lies in, nearest first. Throws error when a label
// is that of no loop, or of several.
template <expression E, class S>
    requires(label_text<S> || selectable<E, S>)
constexpr bool is_host_driven(const E& e, S asked) {
    const plan_view& plan = plan_of<typename E::self>::view;
    const int at = asked_node<typename E::self>(e.records, asked);
    const int deciding = is_branch(plan.nodes[at].control) ? at : loop_around(plan, at);
    return deciding >= 0 && is_host_driven(*plan.nodes[deciding].from);
}

}  // namespace cograph::core

namespace cograph {

using core::do_while;
using core::host_driven;
using core::is_host_driven;
using core::loop_while;
using core::repeat;
using core::switch_on;
using core::when;

}  // namespace cograph
