// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/algorithm/group_nodes.hpp>
#include <cograph/expr/refused/algorithm/transform_reduce.hpp>

namespace cograph::core {

// Refused nodes over the first elements: the same as for nodes over all of them.
template <int Size>
struct group_stage;
template <class Shape, class F, class... A>
constexpr auto diagnose_first_call_of(const for_each_stage*) {
    return diagnose_shaped_call<Shape, F, A...>();
}
template <class Shape, class F, class... A, int Size>
constexpr auto diagnose_first_call_of(const group_stage<Size>*) {
    if constexpr (element_shape_type<Shape> && group_call<F, Size, A...>)
        return fine{};
    else
        return diagnose_group_call<Shape, F, Size, A...>();
}
template <class Stage, class Shape, class F, class... A>
constexpr auto diagnose_first_call() {
    return diagnose_first_call_of<Shape, F, A...>(static_cast<const Stage*>(nullptr));
}

template <int Size>
struct group_reduce_stage;
template <class... All>
constexpr auto diagnose_first_reduce_of(const reduce_stage*) {
    return diagnose_reduce<All...>();
}
template <class Shape, class... All, int Size>
constexpr auto diagnose_first_reduce_of(const group_reduce_stage<Size>*) {
    return diagnose_group_reduce<Shape, Size, All...>();
}
template <class Stage, class... All>
constexpr auto diagnose_first_reduce() {
    return diagnose_first_reduce_of<All...>(static_cast<const Stage*>(nullptr));
}

template <class Stage, int Leads, class Shape, class Length, class F>
struct first_builder;
template <class Stage, int Leads, class Shape, class Length, class F>
constexpr arguments_are_missing<F> why_no_expression(const first_builder<Stage, Leads, Shape, Length, F>*) {
    return {};
}
template <class Stage, int Leads, class Shape, class Length, class F, class Op, class T>
struct first_reduce_builder;
template <class Stage, int Leads, class Shape, class Length, class F, class Op, class T>
constexpr arguments_are_missing<F> why_no_expression(const first_reduce_builder<Stage, Leads, Shape, Length, F, Op, T>*) {
    return {};
}

}  // namespace cograph::core
