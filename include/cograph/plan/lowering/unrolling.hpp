// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/plan/lowering/predication.hpp>
#include <cograph/plan/persistent/eligibility.hpp>

namespace cograph::core {

// A small loop of library nodes that cannot be one kernel is unrolled: its conditional node decides about some
// iterations at once. Between two of them the loop is tested, and nodes of iterations after its end see that and do
// nothing.

// Measured on an H200, a loop of three nodes takes 5.6 us an iteration with one, 3.7 with two, 3.0 with four and 2.6 with eight. The
// iterations that do nothing when the loop ends take as long as one or two that work.
constexpr int iterations_of_unrolled = 4;
constexpr int most_unrolled_nodes = 4;

// Not for a predicate over arrays, nor with check_every, nor if a length may exceed its capacity.
constexpr bool becomes_unrolled(const node_spec& tree) {
    if (!is_loop(tree.kind) || tree.as_nodes || tree.every > 1 || persists(tree)) return false;
    const node_spec& body = *tree.children[0];
    if (has_lengths(body)) return false;
    int nodes = 0;
    return repeated_children(body) < 0 && find_unpredicated(body, nodes) == predication::predicated && nodes <= most_unrolled_nodes;
}

// A loop that is unrolled.
template <class Rule>
struct unrolled : Rule {};
template <class Codes>
struct unrolled_codes;
template <class First, class... P, class Again, class... Q>
struct unrolled_codes<list<condition_code<First, P...>, condition_code<Again, Q...>>> {
    using type = list<condition_code<meets_unrolled<First>, P...>, condition_code<test_of_unrolled<Again>, Q...>>;
};
template <class Rule, bool HasLoops>
struct conditions_of<unrolled<Rule>, HasLoops> : conditions_of<Rule, HasLoops> {
    template <class... P>
    using codes = typename unrolled_codes<typename conditions_of<Rule, HasLoops>::template codes<P...>>::type;
};

// The test between two iterations.
template <class Condition>
struct test_between {
    using threads = one_thread;
    static constexpr node_traits traits = single_task_stage::traits;
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class... P>
    COGRAPH_HD static void run(Context const& context, loop_counter loop, P const&... p) {
        context.once([&] {
            if (iterations_to_run::are_left(loop) && Condition::of(loop, p...) != 1) loop.at->over_from = static_cast<unsigned>(loop.resets);
        });
    }
};
inline constexpr lowered_node as_test_between{.answers = true, .of_further_iteration = true};
template <class Loop>
struct test_node;
template <class Rule, class... A, class Body>
struct test_node<control<Rule, condition<A...>, Body>> {
    using loop = control<Rule, condition<A...>, Body>;
    using self = test_node;
    using children = list<>;
    template <class First, class Condition, class... P>
    static list<stage_code<test_between<Condition>, P...>> code(list<First, condition_code<Condition, P...>>);
    using codes = decltype(code(typename loop::codes{}));
    using kept_type = typename condition<A...>::kept_type;
    static constexpr int leaves = 1;
    template <class Counter, class... B>
    static constexpr node_spec make_tree(list<Counter, B...>) {
        return {.kind = spec_kind::work, .name = Rule::name, .traits = &single_task_stage::traits, .arguments = arguments_of<counters_below, B...>, .argument_count = 1 + sizeof...(B),
                .lowered = &as_test_between};
    }
    static constexpr node_spec tree = make_tree(typename loop::arguments{});
};

inline constexpr lowered_node as_further_iterations{.further_iterations = iterations_of_unrolled - 1};

// The replacement of each iteration after the first: the test, and the body if it holds.
template <class Loop, class Body>
struct further_iterations {
    using self = further_iterations;
    using predicated_body = predicated_part<Body, counters_below, 1>;
    using children = list<test_node<Loop>, predicated_body>;
    using codes = list<>;
    using members = family<test_node<Loop>, predicated_body>;
    using kept_type = nothing;  // that of the first iteration
    static constexpr int leaves = 0;
    static constexpr node_spec tree{.kind = spec_kind::sequence, .name = {"seq"}, .children = members::trees, .child_count = members::count,
                               .lowered = &as_further_iterations};
};

}  // namespace cograph::core
