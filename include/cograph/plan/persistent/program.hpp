// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/control.hpp>
#include <cograph/expr/control/races.hpp>
#include <cograph/expr/node/stage.hpp>
#include <cograph/expr/scan/kept_numbers.hpp>
#include <cograph/plan/persistent/persistent_plan.hpp>
#include <cograph/plan/persistent/steps.hpp>
#include <cograph/plan/phases/rolled_nodes.hpp>

#include <utility>

namespace cograph::core {

// Nodes that look up what no node of the kernel writes: threads keep what they find.
constexpr bool keeps_finds(const node_spec& whole, const node_spec& node) {
    return node.traits->looks_up > 0 && !writes_variable(whole, node.arguments[node.traits->looks_up].variable);
}
// Of the nodes before a leaf, how many keep what they find.
constexpr int count_finds(const node_spec& whole, const node_spec& tree, int leaf, int before) {
    if (leaf >= before) return 0;
    if (tree.kind == spec_kind::work) return keeps_finds(whole, tree);
    int count = 0, below = leaf + (is_group(tree) ? 0 : 1);
    for (int i = 0; i < tree.child_count; ++i) {
        count += count_finds(whole, *tree.children[i], below, before);
        below += count_leaves(*tree.children[i]);
    }
    return count;
}
// What the plan of a whole says of each leaf, apart from the rest of the plan, which nvcc would copy for every use.
template <class Whole>
inline constexpr leaf_barriers<Whole::leaves> barriers_at = persistent_plan<Whole>::with_phases;

// Only threads of a persistent kernel keep something. Those of a batch have the next problem before long.
template <class Stage, int Number>
struct keeping_stage : Stage {
    template <class Context, class... P>
    COGRAPH_HD static void run(Context const& context, P const&... p) {
        if constexpr (requires { context.kept; })
            Stage::run_keeping(context, *context.kept[Number], p...);
        else
            Stage::run(context, p...);
    }
};
template <class Whole, class Node, class Stage, int Leaf>
constexpr auto choose_stage() {
    using own = choose<barriers_at<Whole>.narrow[Leaf], narrow_stage<Stage>, Stage>;
    if constexpr (&Stage::traits == &for_each_stage::traits) {
        constexpr unsigned char rolled = barriers_at<Whole>.rolled[Leaf];
        return word<choose<rolled != 0, rolled_stage<own, rolled>, own>>{};
    } else if constexpr (Stage::traits.looks_up == 0) {
        return word<own>{};
    } else {
        constexpr int number = count_finds(Whole::tree, Whole::tree, 0, Leaf);
        return word<choose<keeps_finds(Whole::tree, Node::tree) && number < most_kept_numbers, keeping_stage<Stage, number>, Stage>>{};
    }
}

// The steps of the part E of a whole: Leaf nodes and First parameters come before it.
template <class Whole, class E, int Leaf, int First>
struct program_of;

template <class Whole, int Leaf, int First, class... E>
struct programs_of {
    static constexpr int leaves_before(int child) {
        constexpr int sizes[] = {E::leaves..., 0};
        return sum_of(sizes, child);
    }
    static constexpr int parameters_before(int child) {
        constexpr int sizes[] = {count_parameters(E::tree)..., 0};
        return sum_of(sizes, child);
    }
    template <template <class...> class Holder, int... I>
    static auto held(std::integer_sequence<int, I...>)
        -> Holder<typename program_of<Whole, E, Leaf + leaves_before(I), First + parameters_before(I)>::type...>;
    template <template <class...> class Holder>
    using in = decltype(held<Holder>(std::make_integer_sequence<int, sizeof...(E)>{}));
};

template <class Whole, class Stage, class Key, class Domain, class... A, int Leaf, int First>
struct program_of<Whole, stage_node<Stage, Key, Domain, A...>, Leaf, First> {
    using stage = decltype(type_in(choose_stage<Whole, stage_node<Stage, Key, Domain, A...>, Stage, Leaf>()));
    using type = stage_step<stage, First, sizeof...(A), barriers_at<Whole>.before[Leaf],
                            !barriers_at<Whole>.splits[Leaf]>;
};
template <class Whole, group_kind Kind, class... E, int Leaf, int First>
struct program_of<Whole, group<Kind, E...>, Leaf, First> {
    using type = typename programs_of<Whole, Leaf, First, typename E::self...>::template in<steps>;
};
template <class Whole, class Rule, class... A, class... Bodies, int Leaf, int First>
struct program_of<Whole, control<Rule, condition<A...>, Bodies...>, Leaf, First> {
    using control_type = control<Rule, condition<A...>, Bodies...>;
    static constexpr int own = control_type::tree.argument_count;
    template <class... Steps>
    using step = control_step<typename control_type::conditions::steps, First, own, barriers_at<Whole>.before[Leaf],
                              barriers_at<Whole>.again[Leaf], gathered<Steps>...>;
    using type = typename programs_of<Whole, Leaf + 1, First + own, typename Bodies::self...>::template in<step>;
};
// Passes of a predicate over arrays are made once for each test.
template <class Whole, class Rule, int Every, class... Limit, class... A, class Body, class... Pass, int Leaf, int First>
    requires(Every > 1)
struct program_of<Whole, control<rule_with_options<Rule, Every, Limit...>, condition<A...>, sequence<Body, array_passes<Pass...>>>, Leaf, First> {
    using control_type = control<rule_with_options<Rule, Every, Limit...>, condition<A...>, sequence<Body, array_passes<Pass...>>>;
    static constexpr int own = control_type::tree.argument_count;
    template <class... Steps>
    using step = control_step<typename control_type::conditions::steps, First, own, barriers_at<Whole>.before[Leaf],
                              barriers_at<Whole>.again[Leaf], gathered<Steps>...>;
    using type = typename programs_of<Whole, Leaf + 1, First + own, typename Body::self, array_passes<Pass...>>::template in<step>;
};

// A given shape is the kernel's.
template <class Whole, class Rule, int Grid, int Block, class... A, class... Bodies, int Leaf, int First>
struct program_of<Whole, control<rule_with_shape<Rule, Grid, Block>, condition<A...>, Bodies...>, Leaf, First>
    : program_of<Whole, control<Rule, condition<A...>, Bodies...>, Leaf, First> {};

// The code of a loop whose blocks have Threads threads. Exact: the number of blocks is given as well, so one kernel is enough, which handles any
// number of elements.
template <class Plain, int Threads, bool Exact>
struct shaped_code {};

// That of a loop with rolled nodes. Threads: of a block, as above; if 0, it has kernels for blocks of both sizes.
template <class Plain, int Threads>
struct code_of_rolled {};

// That of a loop over so few elements that one block of up to Threads threads has them, each thread one. MayShrink: or half a block, if threads of whole
// ones would spill.
template <class Plain, int Threads, bool MayShrink>
struct code_of_few {};

// Of loops whose nodes see neighbours, in tile_program.hpp.
template <class E, class Code>
constexpr auto code_with_tiles();
template <class E>
constexpr const argument* arguments_with_tiles();
template <class E>
constexpr const tile_layout* layout_of_tiles();

inline constexpr node_traits persistent_traits{.rule = "persistent", .persistent = true, .writes_partly = true};

// A loop as a node: one kernel that runs it whole.
template <class E>
struct persistent_node {
    using self = persistent_node;
    using plan = persistent_plan<E>;
    using children = list<>;

    template <class... P>
    static pack_entries<std::index_sequence_for<P...>, P...> entries_of(list<P...>);
    using parameter_entries = decltype(entries_of(decltype(parameters_of<E>::find()){}));
    template <int... I, int... A, int... S>
    static auto plain_code(std::integer_sequence<int, I...>, std::integer_sequence<int, A...>, std::integer_sequence<int, S...>, const parameter_entries* all)
        -> persistent_code<choose<plan::parts.needs_no_barrier, barrier_free_program<plan::sent_results_at, plan::sent_results_bytes, typename program_of<E, E, 0, 0>::type>, typename program_of<E, E, 0, 0>::type>, std::integer_sequence<int, plan::slot.of[I]...>,
                           std::integer_sequence<int, plan::place.of[A]...>, std::integer_sequence<int, plan::source.of[S]...>,
                           std::integer_sequence<bool, plan::parts.stored[S]...>, core::plain<typename decltype(type_in(find_entry<plan::first.of[I]>(all)))::type>...>;
    using plain = decltype(plain_code(std::make_integer_sequence<int, plan::parts.count>{}, std::make_integer_sequence<int, plan::parameters>{},
                                      std::make_integer_sequence<int, plan::parts.scalars>{}, static_cast<const parameter_entries*>(nullptr)));
    // With tiles if nodes see neighbours (tile_program.hpp), and all that the node has otherwise.
    static constexpr auto choose_code() {
        if constexpr (sees_neighbours(E::tree))
            return code_with_tiles<E, plain>();
        else if constexpr (has_rolled_nodes(E::tree) && !has_given_shape(E::tree))
            return list<code_of_rolled<plain, plan::parts.small_blocks ? small_block : given_block(E::tree)>>{};
        else if constexpr (constexpr int threads = threads_of_few(E::tree, plan::parts.small_blocks); threads != 0)
            return list<code_of_few<plain, threads, (given_block(E::tree) == 0 && threads > small_block)>>{};
        else if constexpr (given_block(E::tree) != 0)
            return list<shaped_code<plain, given_block(E::tree), has_given_shape(E::tree)>>{};
        else if constexpr (plan::parts.small_blocks)
            return list<shaped_code<plain, small_block, false>>{};
        else
            return list<plain>{};
    }
    using codes = decltype(choose_code());
    static constexpr const argument* arguments() {
        if constexpr (sees_neighbours(E::tree))
            return arguments_with_tiles<E>();
        else
            return plan::parts.arguments;
    }
    static constexpr const tile_layout* tiles() {
        if constexpr (sees_neighbours(E::tree))
            return layout_of_tiles<E>();
        else
            return nullptr;
    }
    // Of a loop without a given shape; if it may have tiles, where they do not fit.
    static constexpr bool keeps_elements() { return (std::is_same_v<codes, list<plain>> || sees_neighbours(E::tree)) && plan::parts.kept.bytes > 0; }
    using kept_type = typename E::kept_type;
    static constexpr lowered_node as_persistent{.arguments = plan::parts.lowered, .tiles = tiles(), .grid = given_grid(E::tree), .block = given_block(E::tree), .small_blocks = plan::parts.small_blocks, .takes_planes = takes_planes(E::tree), .kept = keeps_elements() ? &plan::parts.kept : nullptr};
    static constexpr int leaves = E::leaves;
    static constexpr node_spec tree{.kind = spec_kind::work,
                               .name = E::tree.name,
                               .traits = &persistent_traits,
                               .arguments = arguments(),
                               .argument_count = plan::parameters + 1,
                               .leaves = E::leaves,
                               .lowered = &as_persistent,
                               .two_kernels = true};
};

}  // namespace cograph::core
