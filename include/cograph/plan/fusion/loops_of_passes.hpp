// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/control.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>

namespace cograph::core {

// Loops whose iterations share passes over memory. One that counts becomes a loop of passes, which takes several iterations at once, and a loop of the remaining
// ones. Both are the user's loop, with its records, its count and its state, which the first one hands over to the second. Of one with several iterations from
// one test to the next, those become passes in its body.

// Least: how many iterations are left to the loop of the remainder, at least, unless the loop has fewer. GoesOn: another loop of passes is before it.
template <class Rule, int Iterations, int Least, bool GoesOn>
struct loop_of_passes : Rule {};
template <class Rule>
struct loop_of_remainder : Rule {};
template <class Rule>
struct loop_in_passes : Rule {};

// The tests before that many iterations, of a loop that counts.
template <class Test, int Iterations, int Least, bool GoesOn>
struct meets_passes {
    static constexpr bool of_loop = true;
    template <class... P>
    COGRAPH_HD static unsigned of(loop_counter loop, P const&... p) {
        if constexpr (!GoesOn) {
            loop.enter();
            loop.at->iteration = 0;
        }
        return Test::of(loop.at->iteration + Iterations + Least - 1, p...) == 1;
    }
};
template <class Test, int Iterations, int Least>
struct passes_go_on {
    static constexpr bool of_loop = true;
    template <class... P>
    COGRAPH_HD static unsigned of(loop_counter loop, P const&... p) {
        const index_t iteration = loop.at->iteration = loop.at->iteration + Iterations;
        return Test::of(iteration + Iterations + Least - 1, p...) == 1;
    }
};
template <class Test>
struct meets_remainder {
    static constexpr bool of_loop = true;
    template <class... P>
    COGRAPH_HD static unsigned of(loop_counter loop, P const&... p) {
        const unsigned answer = Test::of(loop.at->iteration, p...);
        if (answer != 1) loop.leave(loop.at->iteration, answer);
        return answer;
    }
};
template <class Codes>
struct codes_of_passes;
template <class Test, class Again, class... P>
struct codes_of_passes<list<condition_code<loop_is_met<Test>, P...>, Again>> {
    template <int Iterations, int Least, bool GoesOn>
    using type = list<condition_code<meets_passes<Test, Iterations, Least, GoesOn>, P...>, condition_code<passes_go_on<Test, Iterations, Least>, P...>>;
    using of_remainder = list<condition_code<meets_remainder<Test>, P...>, Again>;
};
template <class Rule, int Iterations, int Least, bool GoesOn, bool Concerned>
struct conditions_of<loop_of_passes<Rule, Iterations, Least, GoesOn>, Concerned> : conditions_of<Rule, Concerned> {
    template <class... P>
    using codes = typename codes_of_passes<typename conditions_of<Rule, Concerned>::template codes<P...>>::template type<Iterations, Least, GoesOn>;
};
template <class Rule, bool Concerned>
struct conditions_of<loop_of_remainder<Rule>, Concerned> : conditions_of<Rule, Concerned> {
    template <class... P>
    using codes = typename codes_of_passes<typename conditions_of<Rule, Concerned>::template codes<P...>>::of_remainder;
};
template <class Rule, bool Concerned>
struct conditions_of<loop_in_passes<Rule>, Concerned> : conditions_of<Rule, Concerned> {
    static constexpr int every = 1;  // of its body, which has all iterations from one test to the next
};

// The same nodes in several ways, one after another: they have the records, kept values, conditions and loops of the last way.
inline constexpr lowered_node as_same_nodes{.are_same_nodes = true};
template <class... Way>
struct same_nodes {
    using self = same_nodes;
    using children = list<Way...>;
    using codes = list<>;
    using members = family<Way...>;
    using last = typename pick_type<sizeof...(Way) - 1, Way...>::type;
    using kept_type = typename last::kept_type;
    static constexpr int leaves = last::leaves;
    static constexpr node_spec tree{.kind = spec_kind::sequence, .name = {"seq"}, .children = members::trees, .child_count = members::count, .lowered = &as_same_nodes};
};

// Nodes that do not run there: those behind them have their own records and kept values.
inline constexpr lowered_node as_left_out{.are_left_out = true};
template <class... Node>
struct left_out {
    using self = left_out;
    using children = list<>;
    using codes = list<>;
    using members = family<Node...>;
    using kept_type = typename members::kept_type;
    static constexpr int leaves = members::leaves;
    static constexpr node_spec tree{.kind = spec_kind::sequence, .name = {"seq"}, .children = members::trees, .child_count = members::count, .lowered = &as_left_out};
};

}  // namespace cograph::core
