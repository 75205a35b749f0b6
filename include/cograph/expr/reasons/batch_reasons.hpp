// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/reason.hpp>

namespace cograph::reason {

// Possible mistakes in a batch of problems; docs/errors has an entry for each.

template <class Variable>
struct all_problems_write : if_met<Variable>::template advises<struct give_each_problem_its_own_with_of_each> {};

template <class Variable>
struct each_problem_has_it_twice : if_met<Variable>::template advises<struct write_of_each_once_for_a_variable> {};

template <class Variable>
struct no_problem_uses_it : if_met<Variable>::template advises<struct leave_it_out_or_use_it_in_the_expression> {};

template <class Given>
struct not_of_each_problem : if_met<Given>::template advises<struct write_of_each_of_a_variable> {};

template <class Variable, class Whole>
struct elements_of_problems_differ : if_met<Variable>::template advises<struct name_a_buffer_or_temp_of_the_same_type> {};

template <class Variable, class... How>
struct not_parts_of_problems : if_met<Variable>::template advises<struct name_a_buffer_of_integers_and_an_integer_value> {};

template <class Node, class Variable>
struct parts_of_problems_differ : if_met<Node>::template advises<struct let_the_node_run_over_elements_with_the_same_parts> {};

template <class Variable>
struct reports_go_to_loop_outcomes : if_met<Variable>::template advises<struct declare_it_as_a_buffer_of_loop_outcome> {};

template <class Variable>
struct summaries_go_to_a_scalar : if_met<Variable>::template advises<struct declare_it_as_a_scalar_of_outcome_summary> {};

// Nodes that cannot be in one kernel with the rest of a problem.
struct it_chooses_its_own_launch {};
struct it_has_a_large_scalar {};
struct one_thread_writes_memory {};
struct elements_write_a_scalar {};
struct a_condition_writes {};
struct it_is_to_stay_a_node {};
template <class Node, class Why>
struct not_in_a_batch : if_met<Node>::template advises<struct put_it_before_or_after_the_batch> {};

template <class Variable>
struct number_of_a_problem_is_on_the_device : if_met<Variable>::template advises<struct use_a_value_that_all_problems_share> {};

template <class Variable>
struct temp_of_a_problem_has_no_size : if_met<Variable>::template advises<struct declare_it_as_long_as_a_buffer_or_as_a_formula> {};

template <class Node, class Needs>
struct group_of_a_problem_is_too_small : if_met<Node>::template advises<struct give_a_problem_as_many_threads_as_the_largest_group_in_it> {};

// A block has sixteen barriers, of which its threads use one together.
template <class Node, class Groups>
struct groups_of_a_problem_are_too_many : if_met<Node>::template advises<struct let_the_node_have_larger_groups_or_the_problem_fewer_threads> {};

template <int Size>
struct not_a_group_for_a_problem : advises<struct take_1_or_a_power_of_two_from_32_to_1024> {};

template <int Blocks>
struct not_a_cluster_for_a_problem : advises<struct take_2_4_or_8_blocks> {};

template <class Given>
struct shape_counts_no_problems : if_met<Given>::template advises<struct write_over_of_a_number_a_value_or_an_array> {};

}  // namespace cograph::reason
