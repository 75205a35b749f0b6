// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/lists.hpp>
#include <cograph/plan/persistent/pending_use.hpp>

namespace cograph::core {

// A persistent kernel's program, without names: which stage or condition runs on which of the kernel's parameters.
template <class Stage, int First, int Count, barrier Before, bool Joins>
struct stage_step {
    using stage = Stage;
    static constexpr int first = First;
    static constexpr int count = Count;
    static constexpr barrier before = Before;
};
template <class Rule, int First, int Count, barrier Before, barrier Again, class... Bodies>
struct control_step {};
template <class... Steps>
struct steps {};
// A program in which no thread reads what another one writes, so that blocks may send results to each other without a barrier: to the Bytes bytes At a place in
// the kernel's own memory.
template <unsigned At, unsigned Bytes, class Program>
struct barrier_free_program {};
// Nodes over the elements of one domain, run in one loop.
template <class... Stages>
struct fused_steps {};

// Nodes of one function object over several extents, one after another: each a group by itself. Number: function objects with state have one stage.
template <unsigned char Number, class... Groups>
struct rolled_steps {};
template <class Stage, unsigned char Number>
struct rolled_stage : Stage {};
// Nodes that the first block may run, if each of its threads has one element at most.
template <class Stage>
struct narrow_stage : Stage {
    using narrow = narrow_stage;
};

// Adds a step to the last of some groups.
template <class Before, class Step, class... Groups>
struct join_last;
template <class... Before, class Step, class... Stages>
struct join_last<list<Before...>, Step, fused_steps<Stages...>> {
    using type = list<Before..., fused_steps<Stages..., Step>>;
};
template <class... Before, class Step, class Group, class Next, class... Groups>
struct join_last<list<Before...>, Step, Group, Next, Groups...> : join_last<list<Before..., Group>, Step, Next, Groups...> {};

// Adds a group to those of the same stage and number that come last, or begins new ones.
template <class Before, class Stage, unsigned char Number, class Group, class... Done>
struct roll_last;
template <class... Before, class Stage, unsigned char Number, class Group>
struct roll_last<list<Before...>, Stage, Number, Group> {
    using type = list<Before..., rolled_steps<Number, Group>>;
};
template <class... Before, class Stage, unsigned char Number, class Group, int... First, int... Count, barrier... Of>
struct roll_last<list<Before...>, Stage, Number, Group, rolled_steps<Number, fused_steps<stage_step<Stage, First, Count, Of, false>>...>> {
    using type = list<Before..., rolled_steps<Number, fused_steps<stage_step<Stage, First, Count, Of, false>>..., Group>>;
};
template <class... Before, class Stage, unsigned char Number, class Group, class First, class... Done>
struct roll_last<list<Before...>, Stage, Number, Group, First, Done...> : roll_last<list<Before..., First>, Stage, Number, Group, Done...> {};

// Steps in program order, those of inner sequences among them, nodes that join the one before them gathered.
template <class Done, class... Steps>
struct gather_steps;
template <class... Done>
struct gather_steps<list<Done...>> {
    using type = steps<Done...>;
};
template <class... Done, class... Inner, class... Steps>
struct gather_steps<list<Done...>, steps<Inner...>, Steps...> : gather_steps<list<Done...>, Inner..., Steps...> {};
template <class... Done, class Step, class... Steps>
struct gather_steps<list<Done...>, Step, Steps...> : gather_steps<list<Done..., Step>, Steps...> {};
template <class... Done, class Stage, int First, int Count, barrier Before, class... Steps>
    requires(!Stage::traits.one_thread && (Stage::traits.threads_of_group == 0 || Stage::traits.reduces) && !Stage::traits.exchanges)
struct gather_steps<list<Done...>, stage_step<Stage, First, Count, Before, false>, Steps...>
    : gather_steps<list<Done..., fused_steps<stage_step<Stage, First, Count, Before, false>>>, Steps...> {};
template <class... Done, class Stage, unsigned char Number, int First, int Count, barrier Before, class... Steps>
struct gather_steps<list<Done...>, stage_step<rolled_stage<Stage, Number>, First, Count, Before, false>, Steps...>
    : gather_steps<typename roll_last<list<>, Stage, Number, fused_steps<stage_step<Stage, First, Count, Before, false>>, Done...>::type, Steps...> {};
template <class... Done, class Stage, int First, int Count, barrier Before, class... Steps>
struct gather_steps<list<Done...>, stage_step<Stage, First, Count, Before, true>, Steps...>
    : gather_steps<typename join_last<list<>, stage_step<Stage, First, Count, Before, true>, Done...>::type, Steps...> {};

template <class... Steps>
using gathered = typename gather_steps<list<>, Steps...>::type;

// Whether a question is true of a node of a program: Question::of<Stage, First, Count>(), for a stage and its parameters. Rolled nodes are not asked.
template <class Question, class Step>
inline constexpr bool any_node = false;
template <class Question, class Stage, int First, int Count, barrier Before, bool Joins>
inline constexpr bool any_node<Question, stage_step<Stage, First, Count, Before, Joins>> = Question::template of<Stage, First, Count>();
template <class Question, class... Step>
inline constexpr bool any_node<Question, steps<Step...>> = (any_node<Question, Step> || ...);
template <class Question, class... Step>
inline constexpr bool any_node<Question, fused_steps<Step...>> = (any_node<Question, Step> || ...);
template <class Question, class Rule, int First, int Count, barrier Before, barrier Again, class... Body>
inline constexpr bool any_node<Question, control_step<Rule, First, Count, Before, Again, Body...>> = (any_node<Question, Body> || ...);
template <class Question, unsigned At, unsigned Bytes, class Program>
inline constexpr bool any_node<Question, barrier_free_program<At, Bytes, Program>> = any_node<Question, Program>;

// Slot: by parameter, what it refers to (register_copies.hpp). Source: by scalar, a parameter that refers to it. Stored: by scalar, whether the
// program writes it.
// Place: by argument of the nodes, which parameter it is.
template <class Program, class Slot, class Place, class Source, class Stored, class... P>
struct persistent_code {};

}  // namespace cograph::core
