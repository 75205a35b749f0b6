// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/fusion/elementwise_fusion.hpp>
#include <cograph/plan/fusion/planes_with_result.hpp>
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

// Persists false: no loop becomes persistent.
constexpr bool is_lowered(const node_spec& tree, bool persists_too) {
    if (tree.as_nodes) return false;
    if ((persists_too && persists(tree)) || becomes_predicated(tree) || becomes_unrolled(tree) || has_fused(tree, !persists_too)) return true;
    for (int i = 0; i < tree.child_count; ++i)
        if (is_lowered(*tree.children[i], persists_too)) return true;
    return false;
}

template <class E, bool Persists>
struct lower;
template <class E, bool Persists>
struct unroll;
template <class E, bool Persists>
constexpr auto choose_lowering() {
    if constexpr (!is_lowered(E::tree, Persists))
        return std::type_identity<E>{};
    else if constexpr (Persists && persists(E::tree))
        return std::type_identity<persistent_node<E>>{};
    else if constexpr (becomes_predicated(E::tree))
        return predicated_branch<E>{};
    else if constexpr (becomes_unrolled(E::tree))
        return unroll<E, Persists>{};
    else
        return lower<E, Persists>{};
}
template <class E, bool Persists = true>
using lowered = typename decltype(choose_lowering<typename E::self, Persists>())::type;

// The children of a sequence that are in one group.
template <bool Persists, class Group>
struct lower_group;
template <bool Persists, class E>
struct lower_group<Persists, list<E>> {
    using type = lowered<E, Persists>;
};
template <bool Persists, class First, class Second, class... E>
struct lower_group<Persists, list<First, Second, E...>> {
    using type = fused_node<First, Second, E...>;
};
template <class First, class Second>
    requires(Second::tree.traits->reduces)
struct lower_group<false, list<First, Second>> {
    using type = typename decltype(with_result<First, Second>())::type;
};
template <bool Persists, class... E>
struct lower_sequence {
    static constexpr fused_groups<sizeof...(E)> groups{family<E...>::trees, !Persists};
    template <int First, int... I>
    static auto group(std::integer_sequence<int, I...>)
        -> lower_group<Persists, list<typename pick_type<First + I, E...>::type...>>;
    template <int... G>
    static auto all(std::integer_sequence<int, G...>)
        -> sequence<typename decltype(group<groups.first[G]>(std::make_integer_sequence<int, groups.first[G + 1] - groups.first[G]>{}))::type...>;
    using type = decltype(all(std::make_integer_sequence<int, groups.count>{}));
};
template <group_kind Kind, class... E, bool Persists>
struct lower<group<Kind, E...>, Persists> {
    using type = group<Kind, lowered<E, Persists>...>;
};
template <class... E, bool Persists>
    requires(has_fused(sequence<E...>::tree, !Persists))
struct lower<sequence<E...>, Persists> : lower_sequence<Persists, typename E::self...> {};
template <class Rule, class P, class Body, bool Persists>
struct unroll<control<Rule, P, Body>, Persists> {
    using type = control<unrolled<Rule>, P, sequence<lowered<Body, Persists>, further_iterations<control<Rule, P, Body>, Body>>>;
};
template <class Rule, class P, class... Bodies, bool Persists>
struct lower<control<Rule, P, Bodies...>, Persists> {
    using type = control<Rule, P, lowered<Bodies, Persists>...>;
};

}  // namespace cograph::core
