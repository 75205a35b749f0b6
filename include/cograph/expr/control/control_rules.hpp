// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/loop_options.hpp>
#include <cograph/expr/control/order.hpp>
#include <cograph/expr/formula/condition_code.hpp>

namespace cograph::core {

// The parts of loops and branches: the condition on entry and, for loops, the one after each iteration of the body.
struct while_loop {
    static constexpr spec_kind kind = spec_kind::loop_while;
    static constexpr lazy_name name{"while"};
    using test = predicate_holds;
};
struct do_loop {
    static constexpr spec_kind kind = spec_kind::do_while;
    static constexpr lazy_name name{"do while"};
    using test = predicate_holds;
};
struct counted_loop {
    static constexpr spec_kind kind = spec_kind::repeat;
    static constexpr lazy_name name{"repeat"};
    using test = iterations_are_left;
};
struct branch {
    static constexpr spec_kind kind = spec_kind::when;
    static constexpr lazy_name name{"when"};
    using test = truth;
};
template <unsigned Cases>
struct selection {
    static constexpr spec_kind kind = spec_kind::switch_on;
    static constexpr lazy_name name{"switch"};
    using test = case_of<Cases>;
};

// A loop with loop options.
template <class Rule, int Every, class... Limit>
struct rule_with_options : Rule {};
// A loop that is one kernel of a given shape (cograph/launch_shape.hpp): Grid blocks of Block threads; 0: not given.
template <class Rule, int Grid, int Block>
struct rule_with_shape : Rule {};

// Loops that are conditional nodes and those that are a part of a node.
constexpr int count_loops(const node_spec& tree) {
    int count = is_loop(tree.kind);
    for (int i = 0; tree.kind == spec_kind::work && i < tree.argument_count; ++i)
        count += tree.arguments[i].form == argument_form::counter && tree.arguments[i].size > 0;
    for (int i = 0; i < tree.child_count; ++i) count += count_loops(*tree.children[i]);
    return count;
}
constexpr int count_loops(const node_spec* const* trees, int count) {
    int loops = 0;
    for (int i = 0; i < count; ++i) loops += count_loops(*trees[i]);
    return loops;
}

// Whether a node in a body, outside of loops in there, may find that there are more elements than fit.
constexpr bool has_lengths(const node_spec& tree) {
    if (is_loop(tree.kind)) return false;
    for (int i = 0; tree.kind == spec_kind::work && i < tree.argument_count; ++i)
        if (tree.arguments[i].form == argument_form::loop_around && tree.arguments[i].size == 0) return true;
    for (int i = 0; i < tree.child_count; ++i)
        if (has_lengths(*tree.children[i])) return true;
    return false;
}
// The facts about bodies that the conditions of a loop or branch need: for a loop, whether there are lengths in them;
// for a branch, whether there are loops.
constexpr bool concerns_conditions(spec_kind kind, const node_spec* const* bodies, int count) {
    if (!is_loop(kind)) return count_loops(bodies, count) > 0;
    return has_lengths(*bodies[0]);
}

// The parameters of the conditions of a loop or branch before the predicate's arguments, and their codes.
template <class Rule, bool HasLoops>
struct branch_conditions {
    static constexpr int every = 1, grid = 0, block = 0;
    using steps = Rule;
    using front = list<>;
    template <class... P>
    using codes = list<condition_code<typename Rule::test, P...>>;
};
template <class Rule>
struct branch_conditions<Rule, true> {
    static constexpr int every = 1, grid = 0, block = 0;
    using steps = Rule;
    using front = list<counters_below>;
    template <class... P>
    using codes = list<condition_code<clears_below<typename Rule::test>, P...>>;
};
// A loop without the name of its limit.
template <class Rule, int Every, bool Limited>
struct loop_steps : Rule {
    static constexpr int every = Every;
    using asks = loop_test<typename Rule::test, Limited>;
    template <class... P>
    using first_code = condition_code<loop_is_met<asks>, P...>;
};
template <int Every, bool Limited>
struct loop_steps<do_loop, Every, Limited> : do_loop {
    static constexpr int every = Every;
    using asks = loop_test<predicate_holds, Limited>;
    template <class... P>
    using first_code = condition_code<loop_is_met<first_iteration<asks::counts>>, loop_counter>;
};
template <class Rule, int Every, class... Limit>
struct loop_conditions {
    static constexpr int every = Every, grid = 0, block = 0;
    using steps = loop_steps<Rule, Every, sizeof...(Limit) == 1>;
    using front = list<counter, Limit...>;
    template <class... P>
    using codes = list<typename steps::template first_code<P...>, condition_code<loop_goes_on<typename steps::asks, Every>, P...>>;
};
template <class Steps>
struct steps_with_lengths : Steps {
    static constexpr bool has_lengths = true;
};
template <class Rule, int Every, class... Limit>
struct conditions_with_lengths : loop_conditions<Rule, Every, Limit...> {
    using steps = steps_with_lengths<typename loop_conditions<Rule, Every, Limit...>::steps>;
    template <class... P>
    using codes = list<typename steps::template first_code<P...>, condition_code<loop_goes_on<typename steps::asks, Every, true>, P...>>;
};
template <bool HasLengths, class Rule, int Every, class... Limit>
using conditions_of_loop = choose<HasLengths, conditions_with_lengths<Rule, Every, Limit...>, loop_conditions<Rule, Every, Limit...>>;
// Concerned: the result of concerns_conditions.
template <class Rule, bool Concerned>
struct conditions_of : branch_conditions<Rule, Concerned> {};
template <bool Concerned>
struct conditions_of<while_loop, Concerned> : conditions_of_loop<Concerned, while_loop, 1> {};
template <bool Concerned>
struct conditions_of<do_loop, Concerned> : conditions_of_loop<Concerned, do_loop, 1> {};
template <bool Concerned>
struct conditions_of<counted_loop, Concerned> : conditions_of_loop<Concerned, counted_loop, 1> {};
template <class Rule, int Every, class... Limit, bool Concerned>
struct conditions_of<rule_with_options<Rule, Every, Limit...>, Concerned> : conditions_of_loop<Concerned, Rule, Every, Limit...> {};
template <class Rule, int Grid, int Block, bool Concerned>
struct conditions_of<rule_with_shape<Rule, Grid, Block>, Concerned> : conditions_of<Rule, Concerned> {
    static constexpr int grid = Grid, block = Block;
};

}  // namespace cograph::core
