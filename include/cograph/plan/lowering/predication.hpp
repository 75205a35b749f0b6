// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/control.hpp>
#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/plan/tables/measure.hpp>

namespace cograph::core {

// A branch of few library nodes does not become a conditional node: its condition is stored in memory, and its nodes
// read it and do nothing if the branch is not taken.

// Whether a branch becomes predicated nodes, or why it stays a conditional node.
enum class predication : unsigned char {
    predicated,
    no_nodes,
    opaque_node,     // a __global__ function or other code that chooses its own launch
    holds_control,   // a loop or branch
    too_many_nodes,  // each costs time if it does nothing
    lowering_disabled,   // by as_nodes
    driven_by_host       // the host decides about it
};

// Measured on an H200: a conditional node that is not taken costs as much as about three kernels that do nothing, a switch as
// about six.
constexpr int most_predicated_nodes(spec_kind kind) { return kind == spec_kind::switch_on ? 6 : 3; }

// The reason why a part of a branch keeps it a conditional node; adds its nodes to a count.
constexpr predication find_unpredicated(const node_spec& tree, int& nodes) {
    if (tree.host_driven) return predication::driven_by_host;
    if (tree.as_nodes) return predication::lowering_disabled;
    if (is_group(tree)) {
        for (int i = 0; i < tree.child_count; ++i)
            if (const predication below = find_unpredicated(*tree.children[i], nodes); below != predication::predicated) return below;
        return predication::predicated;
    }
    ++nodes;
    if (tree.kind != spec_kind::work) return predication::holds_control;
    return tree.traits->is_stage ? predication::predicated : predication::opaque_node;
}

constexpr bool is_branch(spec_kind kind) { return kind == spec_kind::when || kind == spec_kind::switch_on; }

// Of a branch.
constexpr predication predication_of(const node_spec& branch) {
    int nodes = 0;
    for (int i = 0; i < branch.child_count; ++i)
        if (const predication found = find_unpredicated(*branch.children[i], nodes); found != predication::predicated) return found;
    if (nodes == 0) return predication::no_nodes;
    return nodes > most_predicated_nodes(branch.kind) ? predication::too_many_nodes : predication::predicated;
}
constexpr bool becomes_predicated(const node_spec& tree) { return is_branch(tree.kind) && predication_of(tree) == predication::predicated; }

// The memory of a branch's condition.
template <class Branch>
struct answer_of : scalar<answer_of<Branch>, unsigned> {};
template <class Branch>
inline constexpr variable_info info_of<answer_of<Branch>>{{"answer"}, variable_kind::scalar, sizeof(unsigned), alignof(unsigned), false, nullptr,
                                                          type_hash<answer_of<Branch>>(), type_name<unsigned>(), nullptr, true};

// Stores it.
template <class Test>
struct store_answer {
    using threads = one_thread;
    static constexpr node_traits traits = single_task_stage::traits;
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class... P>
    COGRAPH_HD static void run(Context const& context, reference<unsigned> to, P const&... p) {
        context.once([&] { *to.at = Test::of(p...); });
    }
};

// A stage that runs if the condition is Case.
template <unsigned Case>
COGRAPH_HD bool is_case(reference<const unsigned> branch) {
    return *branch.at == Case;
}
template <unsigned Case>
COGRAPH_HD bool is_case(loop_counter loop) {
    return iterations_to_run::are_left(loop) == (Case == 1);
}
template <class Stage, unsigned Case>
struct predicated : Stage {
    template <class Asked, class... P>
    static constexpr bool has_two_kernels = Stage::template has_two_kernels<P...>;
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class Asked, class... P>
    COGRAPH_HD static void run(Context const& context, Asked asked, P const&... p) {
        if (is_case<Case>(asked)) Stage::run(context, p...);
    }
};

inline constexpr lowered_node as_answer{.answers = true};
template <bool OfFurtherIteration>
inline constexpr lowered_node as_predicated{.predicated = true, .of_further_iteration = OfFurtherIteration};

// The condition of a branch as a node.
template <class Branch>
struct answer_node;
template <class Rule, class... A, class... Bodies>
struct answer_node<control<Rule, condition<A...>, Bodies...>> {
    using self = answer_node;
    using children = list<>;
    using arguments = list<reference_to<out_t<answer_of<control<Rule, condition<A...>, Bodies...>>>>, A...>;
    template <class... B>
    static list<stage_code<store_answer<typename Rule::test>, plain<typename B::parameter>...>> code(list<B...>);
    using codes = decltype(code(arguments{}));
    using kept_type = typename condition<A...>::kept_type;
    static constexpr int leaves = 1;
    template <class... B>
    static constexpr node_spec make_tree(list<B...>) {
        return {.kind = spec_kind::work, .name = Rule::name, .traits = &single_task_stage::traits, .arguments = arguments_of<B...>, .argument_count = sizeof...(B),
                .lowered = &as_answer};
    }
    static constexpr node_spec tree = make_tree(arguments{});
};

// A node that first tests an argument. It may not write, so its outputs keep their contents.
template <class Node, class Asked, unsigned Case>
struct predicated_node;
template <class Stage, class Key, class Domain, class... A, class Asked, unsigned Case>
struct predicated_node<stage_node<Stage, Key, Domain, A...>, Asked, Case> {
    using node = stage_node<Stage, Key, Domain, A...>;
    using self = predicated_node;
    using children = list<>;
    using codes = list<stage_code<predicated<Stage, Case>, plain<typename Asked::parameter>, plain<typename A::parameter>...>>;
    using kept_type = typename node::kept_type;
    static constexpr int leaves = 1;
    struct argument_table {
        argument all[sizeof...(A) + 2] = {Asked::describe, A::describe..., {argument_form::kept_value}};
        constexpr argument_table() {
            for (argument& a : all)
                if (writes(a.access)) a.access = access_mode::read_write;
        }
    };
    static constexpr argument_table table{};
    static constexpr node_spec make_tree() {
        node_spec made = node::tree;
        made.arguments = table.all;
        made.argument_count = sizeof...(A) + 1;
        made.elements_a_thread = 1;  // its kernel deals them out by itself
        made.lowered = &as_predicated<Asked::describe.form == argument_form::counter>;
        return made;
    }
    static constexpr node_spec tree = make_tree();
};

template <class E, class Asked, unsigned Case>
struct predicate_part {
    using type = predicated_node<E, Asked, Case>;
};
template <class E, class Asked, unsigned Case>
using predicated_part = typename predicate_part<typename E::self, Asked, Case>::type;
template <group_kind Kind, class... E, class Asked, unsigned Case>
struct predicate_part<group<Kind, E...>, Asked, Case> {
    using type = group<Kind, predicated_part<E, Asked, Case>...>;
};

// The value of a condition that leads to a body: of when, whether it holds.
constexpr unsigned case_of_body(spec_kind kind, int body) { return static_cast<unsigned>(kind == spec_kind::when ? 1 - body : body); }

template <class Branch>
struct predicated_branch;
template <class Rule, class P, class... Bodies>
struct predicated_branch<control<Rule, P, Bodies...>> {
    using branch = control<Rule, P, Bodies...>;
    template <int... I>
    static auto held(std::integer_sequence<int, I...>)
        -> sequence<answer_node<branch>, predicated_part<Bodies, reference_to<in_t<answer_of<branch>>>, case_of_body(Rule::kind, I)>...>;
    using type = decltype(held(std::make_integer_sequence<int, sizeof...(Bodies)>{}));
};

}  // namespace cograph::core
