// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/launch_shape.hpp>
#include <cograph/expr/refused/function/calls.hpp>

namespace cograph::core {

// Refused calls of for_each and single_task.

template <class Shape, class F>
constexpr auto diagnose_shape() {
    if constexpr (element_shape_type<Shape>)
        return fine{};
    else if constexpr (!std::is_same_v<Shape, bare_shape_t<Shape>>)
        return attributes_are_for_kernels<F>{};
    else if constexpr (has_groups<Shape>)
        return groups_are_for_for_each<F>{};
    else if constexpr (launch_shape_type<Shape>)
        return grid_counts_no_elements<F>{};
    else
        return not_a_shape<Shape>{};
}
template <class Shape, class F, class... A>
constexpr auto diagnose_shaped_call() {
    if constexpr (!element_shape_type<Shape>)
        return diagnose_shape<Shape, F>();
    else if constexpr (!is_fine<decltype(diagnose_element_call<F, A...>())> || writes_something<A...>)
        return diagnose_element_call<F, A...>();
    else
        return loses_result<F>(word<result_of<F, index_t, typename call_value<A>::type...>>{});
}

// Of a node that sees neighbours, in one dimension.
template <int Rank, class F, class... A>
constexpr auto diagnose_box_call();

template <class Stage, class Key, class Shape, class F>
struct element_stage;
template <class Stage, class Key, class Shape, class F>
constexpr arguments_are_missing<F> why_no_expression(const element_stage<Stage, Key, Shape, F>*) {
    return {};
}

template <class F>
struct single_task_builder;
template <class F>
constexpr arguments_are_missing<F> why_no_expression(const single_task_builder<F>*) {
    return {};
}

template <class... A>
auto for_each(A const&...) -> mistake<arguments_are_not_those_of<struct for_each_call, A...>, struct write_for_each_shape_function_and_then_the_arguments>;

template <class... A>
auto single_task(A const&...) -> mistake<arguments_are_not_those_of<struct single_task_call, A...>, struct write_single_task_function_and_then_the_arguments>;

}  // namespace cograph::core
