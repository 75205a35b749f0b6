// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_stages.hpp>
#include <cograph/plan/persistent/steps.hpp>
#include <cograph/plan/persistent/word_join.hpp>
#include <cograph/plan/tiles/tiles.hpp>

namespace cograph::core {

// What a loop's reductions allow: tiles at all, and blocks that run ahead of a test.

// The type that a parameter is in the kernel.
template <class P>
struct made_from {
    using type = P;
};
template <class T>
struct made_from<made_on_use<T>> {
    using type = T;
};
// Of a reduction whose parameters begin with First, among the parameters P of a program.
template <int First, class... P>
using operation_of_reduction = typename made_from<typename pick_type<First + 2, P...>::type>::type;
template <int First, class... P>
using result_of_reduction = typename made_from<typename pick_type<First + 3, P...>::type>::type;

// Whether a reduction's result depends on which thread has which element: it comes out neither the same in any order nor in that of a box. The threads of a tile
// have other elements than those of a chunk.
template <class... P>
struct depends_on_threads {
    template <class Stage, int First, int Count>
    static constexpr bool of() {
        if constexpr (Stage::traits.reduces) {
            using op = operation_of_reduction<First, P...>;
            using type = result_of_reduction<First, P...>;
            return !(Stage::traits.box_rank == 2 && sizeof(type) <= most_ordered_bytes) && !joins_in_any_order<op> && how_to_join<op, type>() == word_join::none;
        } else {
            return false;
        }
    }
};
template <class Program, class... P>
inline constexpr bool reduces_in_any_order = !any_node<depends_on_threads<P...>, Program>;

// Of the reductions of a program with the parameters P: the identities of sums of integers, and whether blocks join one at a barrier, since words do not tell
// its result or another one is joined with it.
template <class... P>
struct facts_of_reductions {
    tile_layout& to;

    template <class Stage, int First, int Count, barrier Before, bool Joins>
    constexpr void look(word<stage_step<Stage, First, Count, Before, Joins>>) {
        if constexpr (Stage::traits.reduces) {
            using type = result_of_reduction<First, P...>;
            constexpr word_join join = how_to_join<operation_of_reduction<First, P...>, type>();
            if (join == word_join::none) to.joins_at_barrier = true;
            if (join == word_join::sum && to.sums++ < tile_layout::most_boxes) to.of_sum[to.sums - 1] = {First + 3, sizeof(type)};
        }
    }
    template <class... Step>
    constexpr void look(word<steps<Step...>>) { (look(word<Step>{}), ...); }
    template <class... Step>
    constexpr void look(word<fused_steps<Step...>>) {
        if ((0 + ... + Step::stage::traits.reduces) > 1) to.joins_at_barrier = true;
        (look(word<Step>{}), ...);
    }
    template <class Rule, int First, int Count, barrier Before, barrier Again, class... Body>
    constexpr void look(word<control_step<Rule, First, Count, Before, Again, Body...>>) { (look(word<Body>{}), ...); }
};

// Whether a loop's predicate may be tested when the next iteration has run: its body reduces once, outside of inner loops, and blocks join the result as
// words. Inner loops have counts of iterations that no iteration changes, so that they end soon.
template <class P>
inline constexpr bool is_of_scalar = false;
template <class T>
inline constexpr bool is_of_scalar<reference<T>> = true;
template <int First, class... P, int... I>
constexpr bool counts_by_scalar(std::integer_sequence<int, I...>) {
    return (is_of_scalar<typename pick_type<First + I, P...>::type> || ...);
}
template <class Step, class... P>
inline constexpr int reductions_outside_of_loops = 0;
template <class... Step, class... P>
inline constexpr int reductions_outside_of_loops<steps<Step...>, P...> = (0 + ... + reductions_outside_of_loops<Step, P...>);
constexpr int too_many_reductions = 1000;  // also for steps that do not allow it
template <class... Stage, int... First, int... Count, barrier... Before, bool... Joins, class... P>
inline constexpr int reductions_outside_of_loops<fused_steps<stage_step<Stage, First, Count, Before, Joins>...>, P...> =
    (0 + ... + reductions_outside_of_loops<stage_step<Stage, First, Count, Before, Joins>, P...>);
template <class Stage, int First, int Count, barrier Before, bool Joins, class... P>
    requires(Stage::traits.reduces)
inline constexpr int reductions_outside_of_loops<stage_step<Stage, First, Count, Before, Joins>, P...> =
    how_to_join<operation_of_reduction<First, P...>, result_of_reduction<First, P...>>() == word_join::largest ? 1 : too_many_reductions;
template <class Rule, int First, int Count, barrier Before, barrier Again, class... Body, class... P>
inline constexpr int reductions_outside_of_loops<control_step<Rule, First, Count, Before, Again, Body...>, P...> =
    Rule::kind == spec_kind::repeat && sizeof...(Body) == 1 && !counts_by_scalar<First + 1, P...>(std::make_integer_sequence<int, Count - 1>{}) && (0 + ... + reductions_outside_of_loops<Body, P...>) == 0 ? 0 : too_many_reductions;
template <class Program, class... P>
inline constexpr bool ends_by_one_result = false;
template <class Rule, int First, int Count, barrier Before, barrier Again, class Body, class... P>
inline constexpr bool ends_by_one_result<control_step<Rule, First, Count, Before, Again, Body>, P...> =
    Rule::every == 1 && !requires { Rule::has_lengths; } &&
    (Rule::kind == spec_kind::loop_while || Rule::kind == spec_kind::do_while) && reductions_outside_of_loops<Body, P...> == 1 && Again == barrier::none;

}  // namespace cograph::core
