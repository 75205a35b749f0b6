// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/copy.hpp>
#include <cograph/expr/core/reason.hpp>
#include <cograph/expr/node/node_spec.hpp>
#include <cograph/plan/persistent/steps.hpp>

namespace cograph::core {

// A walk over the steps of a loop with tiles, for questions about what its nodes do with variables on chip.

// The arguments of the loop's nodes, by parameter: each of them, the variable on chip that it leads to, or -1, and whether it writes all elements of that one
// and reads none.
struct arguments_on_chip {
    const argument* arguments;
    const int* kept;
    const bool* overwrites;
};

// A node: its parameters, and what it is.
struct member_on_chip {
    int first, count;
    bool reduces, by_box, copies;
};
template <class Stage>
inline constexpr bool copies_elements = false;
template <class F>
inline constexpr bool copies_elements<stateless<copy_elements, F>> = true;
template <class Stage, int First, int Count, barrier Before, bool Joins>
constexpr member_on_chip member_of(word<stage_step<Stage, First, Count, Before, Joins>>) {
    return {First, Count, Stage::traits.reduces, Stage::traits.box_rank == 2, copies_elements<Stage>};
}

// Calls group(members, count) for nodes that threads run for each of their elements. Calls alone(member) for a node of one thread, or the first test of a loop,
// which reads memory. Calls other() for all else. A visitor may have begin_body() and end_body(), for the bodies of loops and branches.
template <class Visitor, class Step>
constexpr void visit_steps(Visitor& visitor, word<Step>) {
    visitor.other();
}
template <class Visitor, class... Step>
constexpr void visit_steps(Visitor& visitor, word<steps<Step...>>) {
    (visit_steps(visitor, word<Step>{}), ...);
}
template <class Visitor, class Body>
constexpr void visit_body(Visitor& visitor, word<Body> body) {
    if constexpr (requires { visitor.begin_body(); }) visitor.begin_body();
    visit_steps(visitor, body);
    if constexpr (requires { visitor.end_body(); }) visitor.end_body();
}
template <class Visitor, class Rule, int First, int Count, barrier Before, barrier Again, class... Body>
constexpr void visit_steps(Visitor& visitor, word<control_step<Rule, First, Count, Before, Again, Body...>>) {
    (visit_body(visitor, word<Body>{}), ...);
}
template <class Visitor, class Stage, int First, int Count, barrier Before, bool Joins>
constexpr void visit_steps(Visitor& visitor, word<stage_step<Stage, First, Count, Before, Joins>> step) {
    visitor.alone(member_of(step));
}
template <class Visitor, class... Step>
constexpr void visit_steps(Visitor& visitor, word<fused_steps<Step...>>) {
    const member_on_chip members[] = {member_of(word<Step>{})...};
    visitor.group(members, static_cast<int>(sizeof...(Step)));
}

}  // namespace cograph::core
