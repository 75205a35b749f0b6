// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/box/box_nodes.hpp>
#include <cograph/expr/refused/node/launch_shape.hpp>

namespace cograph::core {

// Refused subsets of shapes.

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
