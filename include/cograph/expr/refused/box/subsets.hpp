// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/box/box_nodes.hpp>
#include <cograph/expr/refused/node/launch_shape.hpp>

namespace cograph::core {

// Refused subsets of shapes.

template <class Shape>
inline constexpr int rank_of_shape = 1;
template <class Domain, class... Side>
inline constexpr int rank_of_shape<box_shape<Domain, Side...>> = sizeof...(Side);

// Calls are refused as those over all elements.
template <class Shape, class F, class... A>
constexpr auto diagnose_subset_call() {
    if constexpr (has_colours<Shape> || ((A::describe.near != nullptr) || ...))
        return diagnose_box_call<rank_of_shape<Shape>, F, A...>();
    else
        return diagnose_shaped_call<Shape, F, A...>();
}
template <class Shape, class F, class Op, class T, class Out, class... A>
constexpr auto diagnose_subset_reduce() {
    if constexpr (has_colours<Shape> || ((A::describe.near != nullptr) || ...))
        return diagnose_box_reduce<rank_of_shape<Shape>, F, Op, T, Out, A...>();
    else
        return diagnose_reduce<Shape, F, Op, T, Out, A...>();
}

template <class Shape, class Subset, class F>
struct subset_builder;
template <class Shape, class Subset, class F>
constexpr arguments_are_missing<F> why_no_expression(const subset_builder<Shape, Subset, F>*) {
    return {};
}
template <class Shape, class Subset, class F, class Op, class T>
struct subset_reduce_builder;
template <class Shape, class Subset, class F, class Op, class T>
constexpr arguments_are_missing<F> why_no_expression(const subset_reduce_builder<Shape, Subset, F, Op, T>*) {
    return {};
}

}  // namespace cograph::core
