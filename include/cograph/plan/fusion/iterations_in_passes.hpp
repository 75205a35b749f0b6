// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/control.hpp>
#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/fusion/loops_of_passes.hpp>
#include <cograph/plan/fusion/shared_iterations.hpp>
#include <cograph/plan/fusion/steps_in_a_pass.hpp>
#include <cograph/plan/fusion/turned_nodes.hpp>

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

// Iterations of a step and a copy back: the steps as iterations of two steps each, and those that are left over as steps by turns. If their number is even, the result is
// copied back behind the last one. If it is odd, the last iteration is as it is written. So is it if a reduction between the step and the copy needs its own arrays
// (turns_with_arrays), and then perhaps the one before it, without the reduction.
template <int Iterations, class Body, class W, class V>
struct copies_as_passes;
template <int Iterations, class Step, class... Other, class W, class V>
struct copies_as_passes<Iterations, sequence<Step, Other...>, W, V> {
    using back = step_back<Step, sequence<Other...>::leaves, W, V>;
    template <int All>
    using of = iterations_as_passes<All / 2, Step, back>;
    using pair = typename of<Iterations>::pair;
    using by_turns = same_nodes<sequence<Step, left_out<Other...>>, sequence<typename back::node, left_out<Other...>>>;
    static constexpr int before_own = turns_with_arrays(sequence<Step, Other...>::tree) ? 0 : 1;

    template <class Copy>
    static auto without_last(list<Copy>) -> sequence<Step, Copy>;
    template <class Last, class Copy>
    static auto without_last(list<Last, Copy>) -> sequence<Step, left_out<Last>, Copy>;
    template <class Copy>
    static auto back_again(list<Copy>) -> sequence<left_out<Step>, typename copied_back<Step, W, V>::type>;
    template <class Last, class Copy>
    static auto back_again(list<Last, Copy>) -> sequence<left_out<Step>, typename turned_node<Last, W, V>::type, typename copied_back<Step, W, V>::type>;
    // Copied: how many iterations have their own copy.
    template <int Copied>
    static constexpr auto end() {
        if constexpr (Copied == 0)
            return std::type_identity<same_nodes<decltype(back_again(list<Other...>{})), left_out<Step, Other...>>>{};
        else if constexpr (Copied == 1)
            return std::type_identity<sequence<Step, Other...>>{};
        else
            return std::type_identity<same_nodes<decltype(without_last(list<Other...>{})), sequence<Step, Other...>>>{};
    }
    template <int Copied, int... Pair, int... Turn>
    static auto find(std::integer_sequence<int, Pair...>, std::integer_sequence<int, Turn...>)
        -> same_nodes<choose<(Pair >= 0), pair, void>..., choose<(Turn >= 0), by_turns, void>..., typename decltype(end<Copied>())::type>;
    template <int Every, int Pairs = (Every - before_own) / Iterations, int Left = Every - Pairs * Iterations, int Copied = Left % 2 == 0 ? 2 * before_own : 1>
    using all = decltype(find<Copied>(std::make_integer_sequence<int, Pairs>{}, std::make_integer_sequence<int, (Left - Copied) / 2>{}));
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
