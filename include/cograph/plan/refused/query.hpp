// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/reason.hpp>

namespace cograph::core {

// Questions about the plan of an expression that are asked wrongly.

template <class... A>
auto node_count(A const&...) -> mistake<arguments_are_not_those_of<struct node_count_query, A...>, struct query_one_expression>;
template <class... A>
auto edge_count(A const&...) -> mistake<arguments_are_not_those_of<struct edge_count_query, A...>, struct query_one_expression>;
template <class... A>
auto region_count(A const&...) -> mistake<arguments_are_not_those_of<struct region_count_query, A...>, struct query_one_expression>;
template <class... A>
auto nesting_depth(A const&...) -> mistake<arguments_are_not_those_of<struct nesting_depth_query, A...>, struct query_one_expression>;
template <class... A>
    requires(sizeof...(A) != 2)
auto graph_depth(A const&...) -> mistake<arguments_are_not_those_of<struct graph_depth_query, A...>, struct ask_about_an_expression_and_the_number_of_a_region>;
template <class... A>
    requires(sizeof...(A) != 2)
auto graph_width(A const&...) -> mistake<arguments_are_not_those_of<struct graph_width_query, A...>, struct ask_about_an_expression_and_the_number_of_a_region>;
template <class... A>
auto reads(A const&...) -> mistake<arguments_are_not_those_of<struct reads_query, A...>, struct ask_about_an_expression_and_its_variables>;
template <class... A>
auto writes(A const&...) -> mistake<arguments_are_not_those_of<struct writes_query, A...>, struct ask_about_an_expression_and_its_variables>;
template <class... A>
auto is_input(A const&...) -> mistake<arguments_are_not_those_of<struct is_input_query, A...>, struct ask_about_an_expression_and_its_variables>;
template <class... A>
auto is_output(A const&...) -> mistake<arguments_are_not_those_of<struct is_output_query, A...>, struct ask_about_an_expression_and_its_variables>;
template <class... A>
auto is_mutated(A const&...) -> mistake<arguments_are_not_those_of<struct is_mutated_query, A...>, struct ask_about_an_expression_and_its_variables>;

}  // namespace cograph::core
