// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/control.hpp>
#include <cograph/plan/fusion/steps_in_a_pass.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>

#include <type_traits>
#include <utility>

namespace cograph::core {

// Loops whose iterations share passes over memory (iterations_in_passes). One that counts becomes a loop of passes, which takes several iterations at once, and
// a loop of the remaining ones. Both are the user's loop, with its records, its count and its state, which the first one hands over to the second. Of one with
// several iterations from one test to the next, those become passes in its body.

// Least: how many iterations are left to the loop of the remainder, at least, unless the loop has fewer.
template <class Rule, int Iterations, int Least>
struct loop_of_passes : Rule {};
template <class Rule>
struct loop_of_remainder : Rule {};
template <class Rule>
struct loop_in_passes : Rule {};

// The tests before that many iterations, of a loop that counts.
template <class Test, int Iterations, int Least>
struct meets_passes {
    static constexpr bool of_loop = true;
    template <class... P>
    COGRAPH_HD static unsigned of(loop_counter loop, P const&... p) {
        loop.enter();
        loop.at->iteration = 0;
        return Test::of(Iterations + Least - 1, p...) == 1;
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
    template <int Iterations, int Least>
    using type = list<condition_code<meets_passes<Test, Iterations, Least>, P...>, condition_code<passes_go_on<Test, Iterations, Least>, P...>>;
    using of_remainder = list<condition_code<meets_remainder<Test>, P...>, Again>;
};
template <class Rule, int Iterations, int Least, bool Concerned>
struct conditions_of<loop_of_passes<Rule, Iterations, Least>, Concerned> : conditions_of<Rule, Concerned> {
    template <class... P>
    using codes = typename codes_of_passes<typename conditions_of<Rule, Concerned>::template codes<P...>>::template type<Iterations, Least>;
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

// Iterations of two steps and perhaps a node that is needed last.
template <int Iterations, class A, class B, class... Last>
struct iterations_as_passes {
    using first = steps_in_a_pass<false, Iterations, 2, A, B>;
    using pair = same_nodes<first, steps_in_a_pass<true, Iterations, 2, A, B>>;

    // All of them, and what is left over.
    template <bool HasRest, int... Pair, int... Rest>
    static constexpr auto find(std::integer_sequence<int, Pair...>, std::integer_sequence<int, Rest...>) {
        constexpr bool joins = sizeof...(Last) > 0 && steps_in_passes(family<A, B, Last...>::trees, 2 + sizeof...(Last), 4, 2).have_result;
        if constexpr (HasRest)
            return std::type_identity<same_nodes<pair, choose<(Pair >= 0), pair, void>..., choose<(Rest >= 0), sequence<A, B>, void>..., sequence<A, B, Last...>>>{};
        else if constexpr (joins && (has_largest_or_least(typename Last::codes{}) && ...))
            return std::type_identity<same_nodes<choose<(Pair >= 0), pair, void>..., same_nodes<first, steps_in_a_pass<true, Iterations, 2, A, B, Last...>>>>{};
        else
            return std::type_identity<sequence<same_nodes<choose<(Pair >= 0), pair, void>..., pair>, Last...>>{};
    }
    template <int Every>
    using all = typename decltype(find<(Every % Iterations > 0)>(std::make_integer_sequence<int, Every / Iterations - 1>{}, std::make_integer_sequence<int, (Every % Iterations > 0 ? Every % Iterations - 1 : 0)>{}))::type;
};

template <class Body>
struct parts_of_body;
template <class A, class B, class... Last>
struct parts_of_body<sequence<A, B, Last...>> {
    template <int Iterations>
    using passes = iterations_as_passes<Iterations, typename A::self, typename B::self, typename Last::self...>;
    template <class All>
    using body = All;
    static constexpr int least = sizeof...(Last);
};
template <class... E, class... Pass>
struct parts_of_body<sequence<sequence<E...>, array_passes<Pass...>>> : parts_of_body<sequence<E...>> {
    template <class All>
    using body = sequence<All, array_passes<Pass...>>;
};
template <class Loop>
struct in_iterations;
template <class Rule, class P, class Body>
struct in_iterations<control<Rule, P, Body>> {
    using loop = control<Rule, P, Body>;
    using parts = parts_of_body<Body>;
    static constexpr int iterations = iterations_in_passes(loop::tree);
    using passes = typename parts::template passes<iterations>;
    static constexpr auto find() {
        if constexpr (Rule::kind == spec_kind::repeat)
            return std::type_identity<same_nodes<control<loop_of_passes<Rule, iterations, parts::least>, P, typename passes::pair>, control<loop_of_remainder<Rule>, P, Body>>>{};
        else
            return std::type_identity<control<loop_in_passes<Rule>, P, typename parts::template body<typename passes::template all<loop::tree.every>>>>{};
    }
    using type = typename decltype(find())::type;
};

}  // namespace cograph::core
