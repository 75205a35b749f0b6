// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/near.hpp>
#include <cograph/expr/control/control.hpp>
#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/fusion/loops_of_passes.hpp>
#include <cograph/plan/fusion/shared_iterations.hpp>
#include <cograph/plan/fusion/steps_in_a_pass.hpp>

#include <type_traits>
#include <utility>

namespace cograph::core {

// Iterations of a loop as passes over memory (iterations_in_passes).

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

// A step from W to V as one from V to W.
inline constexpr lowered_node as_step_back{.turns_back = true};
template <class A, class W, class V>
struct turned_argument {
    using type = A;
};
template <class W, class V, int... Radius>
struct turned_argument<near_of<in_t<W>, Radius...>, W, V> {
    using type = near_of<in_t<V>, Radius...>;
};
template <class W, class V>
struct turned_argument<each_of<out_t<V>>, W, V> {
    using type = each_of<out_t<W>>;
};
// Leaves: of the nodes in an iteration, without the step.
template <class Step, int Leaves, class W, class V>
struct step_back;
template <class Stage, class Key, class Domain, class... A, int Leaves, class W, class V>
struct step_back<stage_node<Stage, Key, Domain, A...>, Leaves, W, V> {
    using self = step_back;
    using children = list<>;
    using node = stage_node<Stage, Key, Domain, typename turned_argument<A, W, V>::type...>;
    using codes = typename node::codes;
    using arguments = typename node::arguments;
    using kept_type = nothing;
    static constexpr int leaves = Leaves;
    static constexpr node_spec make_tree() {
        node_spec made = node::tree;
        made.lowered = &as_step_back;
        return made;
    }
    static constexpr node_spec tree = make_tree();
};

// Iterations of a step and a copy back: the steps as iterations of two steps each. Of those that are left over, the last one or two are
// the loop's own, for the copy is still to be made. The others are steps by turns. What is between the step and the copy runs in the last one.
template <int Iterations, class Body, class W, class V>
struct copies_as_passes;
template <int Iterations, class Step, class... Other, class W, class V>
struct copies_as_passes<Iterations, sequence<Step, Other...>, W, V> {
    using back = step_back<Step, sequence<Other...>::leaves, W, V>;
    template <int All>
    using of = iterations_as_passes<All / 2, Step, back>;
    using pair = typename of<Iterations>::pair;
    using by_turns = same_nodes<sequence<Step, left_out<Other...>>, sequence<typename back::node, left_out<Other...>>>;
    template <class Copy>
    static auto with_copy(list<Copy>) -> sequence<Step, Copy>;
    template <class Last, class Copy>
    static auto with_copy(list<Last, Copy>) -> sequence<Step, left_out<Last>, Copy>;
    using copied = decltype(with_copy(list<Other...>{}));

    template <int... Pair, int... Turn, int... Copied>
    static auto find(std::integer_sequence<int, Pair...>, std::integer_sequence<int, Turn...>, std::integer_sequence<int, Copied...>)
        -> same_nodes<choose<(Pair >= 0), pair, void>..., choose<(Turn >= 0), by_turns, void>..., choose<(Copied >= 0), copied, void>..., sequence<Step, Other...>>;
    template <int Every, int Pairs = (Every - 1) / Iterations, int Left = Every - 1 - Pairs * Iterations>
    using all = decltype(find(std::make_integer_sequence<int, Pairs>{}, std::make_integer_sequence<int, Left / 2>{}, std::make_integer_sequence<int, Left % 2>{}));
};

// What is behind the steps of several iterations: the nodes of scalars, as often.
template <int Iterations, class Steps, class... Scalar>
struct with_scalars {
    template <int... I>
    static auto find(std::integer_sequence<int, I...>) -> sequence<Steps, same_nodes<choose<(I >= 0), sequence<Scalar...>, void>...>>;
    using type = decltype(find(std::make_integer_sequence<int, Iterations>{}));
};
template <int Iterations, class Steps>
struct with_scalars<Iterations, Steps> {
    using type = Steps;
};

template <class Steps, class Scalars>
struct parts_of_iteration;
template <class A, class B, class... Last, class... Scalar>
struct parts_of_iteration<list<A, B, Last...>, list<Scalar...>> {
    using iteration = sequence<A, B, Last...>;
    static constexpr bool copies = is_step_and_copy(iteration::tree), has_scalars = sizeof...(Scalar) > 0;
    static constexpr int least = copies ? 1 : sizeof...(Last);
    template <int Iterations, class Count, class W, class V>
    static constexpr auto of_copied(list<Count, each_of<in_t<V>>, each_of<out_t<W>>>) {
        return std::type_identity<copies_as_passes<Iterations, iteration, W, V>>{};
    }
    template <int Iterations>
    static constexpr auto find() {
        if constexpr (copies)
            return of_copied<Iterations>(typename pick_type<1 + sizeof...(Last), A, B, Last...>::type::arguments{});
        else
            return std::type_identity<iterations_as_passes<Iterations, A, B, Last...>>{};
    }
    template <int Iterations>
    using passes = typename decltype(find<Iterations>())::type;
    template <int Iterations, class Pair = typename passes<Iterations>::pair>
    using pair = typename with_scalars<Iterations, choose<has_scalars, same_nodes<Pair, left_out<A, B, Last...>>, Pair>, Scalar...>::type;
    // Of a step and a copy: two iterations without a copy.
    template <int Iterations>
    using by_turns = pair<2, typename passes<Iterations>::by_turns>;
    template <int Iterations, int Every>
    using all = typename with_scalars<Every, typename passes<Iterations>::template all<Every>, Scalar...>::type;
    template <class All>
    using body = All;
};
template <class... E, int... Step, int... Scalar>
auto split_iteration(std::integer_sequence<int, Step...>, std::integer_sequence<int, Scalar...>)
    -> parts_of_iteration<list<typename pick_type<Step, E...>::type::self...>, list<typename pick_type<sizeof...(Step) + Scalar, E...>::type::self...>>;
template <class Body, int Steps = count_steps(Body::tree)>
struct parts_of_body;
template <class... E, int Steps>
struct parts_of_body<sequence<E...>, Steps> : decltype(split_iteration<E...>(std::make_integer_sequence<int, Steps>{}, std::make_integer_sequence<int, int{sizeof...(E)} - Steps>{})) {};
template <class... E, class... Pass, int Steps>
struct parts_of_body<sequence<sequence<E...>, array_passes<Pass...>>, Steps> : parts_of_body<sequence<E...>> {
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
    template <int Iterations, bool GoesOn = false>
    using passes = control<loop_of_passes<Rule, Iterations, parts::least, GoesOn>, P, typename parts::template pair<Iterations>>;
    template <int Iterations>
    using turns = control<loop_of_passes<Rule, 2, parts::least, true>, P, typename parts::template by_turns<Iterations>>;
    using remainder = control<loop_of_remainder<Rule>, P, Body>;
    static constexpr auto find() {
        if constexpr (Rule::kind != spec_kind::repeat)
            return std::type_identity<control<loop_in_passes<Rule>, P, typename parts::template body<typename parts::template all<iterations, loop::tree.every>>>>{};
        else if constexpr (iterations == 8)
            return std::type_identity<same_nodes<passes<8>, passes<4, true>, turns<iterations>, remainder>>{};  // what is left over takes long: steps and copies
        else if constexpr (parts::copies)
            return std::type_identity<same_nodes<passes<iterations>, turns<iterations>, remainder>>{};
        else
            return std::type_identity<same_nodes<passes<iterations>, remainder>>{};
    }
    using type = typename decltype(find())::type;
};

}  // namespace cograph::core
