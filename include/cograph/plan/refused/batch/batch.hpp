// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/batch_reasons.hpp>
#include <cograph/plan/batch/problem_clusters.hpp>
#include <cograph/plan/refused/batch/batch_nodes.hpp>
#include <cograph/plan/refused/batch/batch_reports.hpp>
#include <cograph/plan/refused/batch/batch_variables.hpp>

namespace cograph::core {

// Refused calls of batch.

template <class Shape>
inline constexpr bool is_of_clusters = false;
template <class Shape, int Blocks>
inline constexpr bool is_of_clusters<problem_clusters<Shape, Blocks>> = true;
template <class Shape>
constexpr auto diagnose_batch_shape() {
    if constexpr (is_of_clusters<Shape> || requires { requires launch_shape_type<Shape> && Shape::counts_elements; })
        return fine{};
    else
        return shape_counts_no_problems<Shape>{};
}
// The most parameters that CUDA passes to one kernel: two a variable, and the kept and computed numbers of nodes.
constexpr int count_kept(const node_spec& tree) {
    int count = 0;
    for (int i = 0; i < tree.argument_count; ++i) {
        const argument_form form = tree.arguments[i].form;
        count += form == argument_form::kept_value || form == argument_form::count || form == argument_form::computed;
    }
    for (int i = 0; i < tree.child_count; ++i) count += count_kept(*tree.children[i]);
    return count;
}
template <class E>
constexpr auto diagnose_parameters() {
    constexpr int most = count_kept(E::tree) + 2 * plan_of<E>::view.count.named + 16;
    if constexpr (most > most_arguments)
        return too_many_parameters<struct batch_of_problems, takes_parameters<most>, limit_is<most_arguments>>{};
    else if constexpr (parameter_bytes_of(E::tree) > most_argument_bytes)
        return parameters_are_too_large<struct batch_of_problems, parameter_bytes<static_cast<int>(parameter_bytes_of(E::tree))>, limit_is<most_argument_bytes>>{};
    else
        return fine{};
}

template <class Shape, class E, class... A>
constexpr auto diagnose_batch() {
    using self = typename E::self;
    constexpr int first = first_true<std::is_void_v<typename as_slices<A>::type>...>();
    if constexpr (!is_fine<decltype(diagnose_batch_shape<Shape>())>)
        return diagnose_batch_shape<Shape>();
    else if constexpr (!is_fine<decltype(diagnose_parts<self>())>)
        return diagnose_parts<self>();
    else if constexpr (!is_fine<decltype(diagnose_problem_group<self>(static_cast<const Shape*>(nullptr)))>)
        return diagnose_problem_group<self>(static_cast<const Shape*>(nullptr));
    else if constexpr (!is_fine<decltype(diagnose_parameters<self>())>)
        return diagnose_parameters<self>();
    else if constexpr (first < static_cast<int>(sizeof...(A)))
        return about_variable<not_of_each_problem>(word_at<first>(list<A...>{}));
    else if constexpr (!is_fine<decltype(diagnose_reports<self>(all_reports(list<typename as_slices<A>::type...>{})))>)
        return diagnose_reports<self>(all_reports(list<typename as_slices<A>::type...>{}));
    else
        return diagnose_problems<self>(all_slices(list<typename as_slices<A>::type...>{}));
}

template <class Shape, class E>
struct batch_builder;
template <class Shape, class E>
constexpr arguments_are_missing<struct batch_of_problems> why_no_expression(const batch_builder<Shape, E>*) {
    return {};
}

template <class Shape, class E>
    requires(!expression<E>)
auto batch(Shape, E const&) -> decltype(mistake_of<struct batch_call, Shape, E>(why_no_expression(static_cast<const E*>(nullptr))));
template <class... A>
auto batch(A const&...) -> mistake<arguments_are_not_those_of<struct batch_call, A...>, struct write_batch_over_problems_expression_and_then_of_each>;

}  // namespace cograph::core
