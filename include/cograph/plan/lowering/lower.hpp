// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/fusion/elementwise_fusion.hpp>
#include <cograph/plan/fusion/iterations_in_passes.hpp>
#include <cograph/plan/fusion/planes_with_result.hpp>
#include <cograph/plan/fusion/steps_in_a_pass.hpp>
#include <cograph/plan/lowering/predication.hpp>
#include <cograph/plan/lowering/unrolling.hpp>
#include <cograph/plan/persistent/program.hpp>
#include <cograph/plan/tiles/tile_program.hpp>

namespace cograph::core {

// The expression that instantiate plans: its outermost loops of library nodes as persistent nodes, small branches
// outside of those as predicated nodes, other small loops unrolled, and adjacent nodes over the same elements as one.
// Records and kept values stay those of E.

constexpr bool has_persistent(const node_spec& tree) {
    if (tree.as_nodes) return false;
    if (persists(tree)) return true;
    for (int i = 0; i < tree.child_count; ++i)
        if (has_persistent(*tree.children[i])) return true;
    return false;
}

// Whether all of them are kernels whatever is bound.
constexpr bool persists_always(const node_spec& tree) {
    if (tree.as_nodes) return true;
    if (persists(tree)) return is_always_one_kernel(tree);
    for (int i = 0; i < tree.child_count; ++i)
        if (!persists_always(*tree.children[i])) return false;
    return true;
}

// Whether steps share passes in all of them, unless the shape of one is given.
constexpr bool passes_in_all_loops(const node_spec& tree) {
    if (tree.as_nodes) return true;
    if (persists(tree)) return has_passes(tree) && !has_given_shape(tree);
    for (int i = 0; i < tree.child_count; ++i)
        if (!passes_in_all_loops(*tree.children[i])) return false;
    return true;
}

constexpr bool is_lowered(const node_spec& tree, graph_for graph) {
    if (tree.as_nodes) return false;
    if ((graph == graph_for::few_elements && persists(tree)) || becomes_predicated(tree) || becomes_unrolled(tree) || has_fused(tree, graph)) return true;
    if (graph == graph_for::many_elements && iterations_in_passes(tree) > 0) return true;
    for (int i = 0; i < tree.child_count; ++i)
        if (is_lowered(*tree.children[i], graph)) return true;
    return false;
}

template <class E, graph_for Graph>
struct lower;
template <class E, graph_for Graph>
struct unroll;
template <class E, graph_for Graph>
constexpr auto choose_lowering() {
    if constexpr (!is_lowered(E::tree, Graph))
        return std::type_identity<E>{};
    else if constexpr (Graph == graph_for::few_elements && persists(E::tree))
        return std::type_identity<persistent_node<E>>{};
    else if constexpr (becomes_predicated(E::tree))
        return predicated_branch<E>{};
    else if constexpr (becomes_unrolled(E::tree))
        return unroll<E, Graph>{};
    else if constexpr (Graph == graph_for::many_elements && iterations_in_passes(E::tree) > 0)
        return in_iterations<E>{};
    else
        return lower<E, Graph>{};
}
template <class E, graph_for Graph = graph_for::few_elements>
using lowered = typename decltype(choose_lowering<typename E::self, Graph>())::type;

// The graph that instantiate makes first if a loop has too many elements.
template <class E>
inline constexpr graph_for graph_of_many = has_passes(E::tree) || !asks_for_equal_boxes(E::tree) ? graph_for::many_elements : graph_for::many_in_equal_boxes;
// And those that it makes in its place: if caches hold the boxes, or if these are not equal.
template <class E>
inline constexpr graph_for graph_in_caches = asks_for_equal_boxes(E::tree) ? graph_for::many_in_equal_boxes : graph_for::many_in_caches;
template <class E>
inline constexpr graph_for graph_of_unequal = has_passes(E::tree) ? graph_for::many_in_caches : graph_for::many_elements;

// The children of a sequence that are in one group. Passes: steps that become two passes.
template <graph_for Graph, class Group, bool Passes>
struct lower_group;
template <graph_for Graph, class E>
struct lower_group<Graph, list<E>, false> {
    using type = lowered<E, Graph>;
};
template <graph_for Graph, class First, class Second, class... E>
struct lower_group<Graph, list<First, Second, E...>, false> {
    using type = fused_node<First, Second, E...>;
};
template <graph_for Graph, class First, class Second>
    requires(Second::tree.traits->reduces)
struct lower_group<Graph, list<First, Second>, false> {
    using type = typename decltype(with_result<First, Second>())::type;
};
template <graph_for Graph, class... E>
struct lower_group<Graph, list<E...>, true> {
    using type = typename in_passes<E...>::type;
};
template <graph_for Graph, class... E>
struct lower_sequence {
    static constexpr fused_groups<sizeof...(E)> groups{family<E...>::trees, Graph};
    template <int First, bool Passes, int... I>
    static auto group(std::integer_sequence<int, I...>)
        -> lower_group<Graph, list<typename pick_type<First + I, E...>::type...>, Passes>;
    template <int... G>
    static auto all(std::integer_sequence<int, G...>)
        -> sequence<typename decltype(group<groups.first[G], groups.passes[G]>(std::make_integer_sequence<int, groups.first[G + 1] - groups.first[G]>{}))::type...>;
    using type = decltype(all(std::make_integer_sequence<int, groups.count>{}));
};
template <group_kind Kind, class... E, graph_for Graph>
struct lower<group<Kind, E...>, Graph> {
    using type = group<Kind, lowered<E, Graph>...>;
};
template <class... E, graph_for Graph>
    requires(has_fused(sequence<E...>::tree, Graph))
struct lower<sequence<E...>, Graph> : lower_sequence<Graph, typename E::self...> {};
template <class Rule, class P, class Body, graph_for Graph>
struct unroll<control<Rule, P, Body>, Graph> {
    using type = control<unrolled<Rule>, P, sequence<lowered<Body, Graph>, further_iterations<control<Rule, P, Body>, Body>>>;
};
template <class Rule, class P, class... Bodies, graph_for Graph>
struct lower<control<Rule, P, Bodies...>, Graph> {
    using type = control<Rule, P, lowered<Bodies, Graph>...>;
};

}  // namespace cograph::core
