// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/near.hpp>
#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>

namespace cograph::core {

// Nodes of an iteration of a step and a copy back, for steps that take turns instead.

// A node that finds the elements of W in V, and those of V in W: a step from W to V becomes one from V to W.
template <class A, class W, class V>
struct turned_argument {
    using type = A;
};
template <class W, class V, int... Radius>
struct turned_argument<near_of<in_t<W>, Radius...>, W, V> {
    using type = near_of<in_t<V>, Radius...>;
};
template <class W, class V, int... Radius>
struct turned_argument<near_of<in_t<V>, Radius...>, W, V> {
    using type = near_of<in_t<W>, Radius...>;
};
template <class W, class V>
struct turned_argument<each_of<in_t<W>>, W, V> {
    using type = each_of<in_t<V>>;
};
template <class W, class V>
struct turned_argument<each_of<in_t<V>>, W, V> {
    using type = each_of<in_t<W>>;
};
template <class W, class V>
struct turned_argument<each_of<out_t<V>>, W, V> {
    using type = each_of<out_t<W>>;
};
template <class Node, class W, class V>
struct turned_node;
template <class Stage, class Key, class Domain, class... A, class W, class V>
struct turned_node<stage_node<Stage, Key, Domain, A...>, W, V> {
    using type = stage_node<Stage, Key, Domain, typename turned_argument<A, W, V>::type...>;
};

// A step back in passes. Leaves: of the nodes in an iteration, without the step.
inline constexpr lowered_node as_step_back{.turns_back = true};
template <class Step, int Leaves, class W, class V>
struct step_back {
    using self = step_back;
    using children = list<>;
    using node = typename turned_node<Step, W, V>::type;
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

// The copy behind an even number of steps by turns, the last of which wrote W. All elements of a copy are those of V, but of the box those of W are newer.
struct copy_newer {
    template <class T>
    COGRAPH_HD void operator()(index_t i, T& of_v, T& of_w, index_t elements_of_box) const {
        if (i < elements_of_box)
            of_v = of_w;
        else
            of_w = of_v;
    }
};
struct copy_newer_elements : for_each_stage {
    static constexpr lazy_name name{"copy"};
    static constexpr node_traits traits = for_each_stage::traits.with_equal_extents();
};
template <class Step, class W, class V>
struct copied_back;
template <class Stage, class Key, class Domain, class... A, class W, class V>
struct copied_back<stage_node<Stage, Key, Domain, A...>, W, V> {
    using type = stage_node<stateless<copy_newer_elements, copy_newer>, copy_newer, extent_t<V>, extent_t<V>, each_of<inout_t<V>>, each_of<inout_t<W>>, Domain>;
};

}  // namespace cograph::core
