// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/reason.hpp>

namespace cograph::reason {

// Possible mistakes in order, loops and branches; docs/errors has an entry for each.

template <int Number, class Node>
struct in_branch {};  // counted from 1
template <class Variable, class First, class Second>
struct branches_race_on : if_met<Variable>::template advises<struct order_them_with_seq_or_give_each_branch_a_variable_of_its_own> {};

template <class... Variables>
struct predicate_never_changes : advises<struct write_one_of_these_variables_in_the_body> {};

template <class Node>
struct seq_is_missing : if_met<Node>::template advises<struct put_it_into_a_seq_together_with_the_expression_before_it> {};

template <class Loop>
struct loop_body_is_empty : if_met<Loop>::template advises<struct put_a_node_into_the_body> {};

// Nodes that CUDA runs at the outermost level alone.
template <class Node>
struct host_work_is_in_a_body : if_met<Node>::template advises<struct put_it_before_or_after_the_loop_or_branch_or_include_cograph_host_driven> {};
template <class Node>
struct event_is_in_a_body : if_met<Node>::template advises<struct put_it_before_or_after_the_loop_or_branch_or_include_cograph_host_driven> {};
template <class Node>
struct pageable_copy_is_in_a_body : if_met<Node>::template advises<struct declare_the_memory_as_a_pinned_buffer> {};

// How an event's variables are marked.
template <class Variable>
struct record_writes_nothing : if_met<Variable>::template advises<struct mark_it_in_or_inout_after_nodes_that_read_it_too> {};
template <class Variable>
struct wait_lets_reads_pass : if_met<Variable>::template advises<struct mark_it_out> {};

template <index_t Rounds>
struct repeats_a_negative_number_of_times : advises<struct repeat_at_least_zero_times> {};

template <class Node>
struct iteration_count_and_body_are_swapped : if_met<Node>::template advises<struct write_repeat_iteration_count_body> {};

template <class Given>
struct iteration_count_is_not_an_integer : if_met<Given>::template advises<struct repeat_an_integer_or_an_integer_formula> {};

template <class Node>
struct text_and_expression_are_swapped : if_met<Node>::template advises<struct write_label_text_expression> {};

template <class Given>
struct text_of_a_label_is_no_const_char_pointer : if_met<Given>::template advises<struct give_a_literal_or_a_const_char_pointer_to_text_that_lives_on> {};

// Attributes of loops.
template <class Given>
struct not_a_loop_option : if_met<Given>::template advises<struct write_at_most_of_a_number_or_check_every_in_angle_brackets> {};

struct loop_option_is_not_last : advises<struct write_at_most_and_check_every_after_the_predicate_and_the_body> {};

template <class Loop>
struct loop_option_is_repeated : if_met<Loop>::template advises<struct keep_one_of_them> {};

template <class Given>
struct limit_is_not_an_integer : if_met<Given>::template advises<struct limit_a_loop_by_an_integer_or_an_integer_value> {};

template <index_t Passes>
struct limit_is_negative : advises<struct allow_at_least_zero_iterations> {};

template <int Passes>
struct tests_need_an_iteration_between_them : advises<struct check_every_iteration_or_every_several> {};

template <class Loop>
struct repeat_tests_every_iteration : if_met<Loop>::template advises<struct leave_check_every_out> {};

template <int Blocks>
struct grid_has_no_blocks : advises<struct give_at_least_one_block_or_whole_device> {};

template <int Threads>
struct block_is_not_made_of_tiles : advises<struct give_256_or_512_or_768_or_1024_threads> {};

// Predicates. A formula is named by its variables.
template <class... Variables>
struct formula_over {};

template <class Left, class Right>
struct no_formula_of : if_met<Left>::template advises<struct write_formulas_over_variables_that_hold_numbers> {};

template <class Operand>
struct no_formula_over : if_met<Operand>::template advises<struct write_formulas_over_variables_that_hold_numbers> {};

template <class Operand>
struct operand_is_not_an_integer : if_met<Operand>::template advises<struct give_the_operator_integers_or_compute_it_in_a_single_task> {};

template <class Variable>
struct formulas_change_nothing : if_met<Variable>::template advises<struct write_assign_scalar_formula> {};

template <class Function, class... Operands>
struct formulas_have_no_function : if_met<Function>::template advises<struct use_one_that_formulas_have_or_compute_it_in_a_function_object> {};

template <class Variable>
struct has_no_such_member : if_met<Variable>::template advises<struct write_member_of_a_pointer_to_a_member_of_the_struct> {};

template <class Variable, class Member>
struct member_is_no_number : if_met<Variable>::template advises<struct name_a_number_in_it_or_compute_it_in_a_single_task> {};

template <class Scalar>
struct member_is_const : if_met<Scalar>::template advises<struct assign_to_members_that_are_not_const> {};

template <class... Operands>
struct enumeration_is_no_number : advises<struct compare_it_with_its_own_kind_and_assign_it_that> {};

template <class Left, class Right>
struct comparisons_are_chained : if_met<Left>::template advises<struct write_two_comparisons_joined_by_and> {};

template <class... Variables>
struct formula_has_a_value_for_each_element : advises<struct test_all_any_or_none_of_the_elements> {};

template <class Formula>
struct formula_has_no_elements : if_met<Formula>::template advises<struct test_a_formula_over_buffers> {};

template <class Given>
struct not_an_array : if_met<Given>::template advises<struct pass_a_buffer_or_a_temp> {};

template <class Variable>
struct elements_are_no_numbers : if_met<Variable>::template advises<struct use_any_of_with_a_function_object_or_reduce_them> {};

template <class Function, class Result>
struct element_test_is_not_bool : if_met<Function>::template advises<struct return_bool_for_each_element> {};

template <class Function, class Variable>
struct size_is_no_number : if_met<Function>::template advises<struct return_a_number_for_each_element> {};

template <class Given>
struct not_a_predicate : if_met<Given>::template advises<struct compare_scalars_and_values_or_wrap_a_function_object_in_predicate> {};

template <class Node>
struct expression_in_place_of_a_predicate : if_met<Node>::template advises<struct write_loop_while_predicate_body_or_do_while_body_predicate> {};

template <class Predicate>
struct predicate_in_place_of_an_expression : if_met<Predicate>::template advises<struct write_loop_while_predicate_body_or_do_while_body_predicate> {};

template <class Function, class Marked>
struct predicate_only_reads : if_met<Function>::template advises<struct mark_it_in_and_write_it_in_the_body> {};

template <class Predicate, class Result>
struct predicate_is_neither_bool_nor_integer : if_met<Predicate>::template advises<struct compare_it_with_something> {};

template <class Selector, class Result>
struct selector_is_not_an_integer : if_met<Selector>::template advises<struct select_by_an_integer> {};

// Kernels that decide.
template <int Handles>
struct given_handles {};
template <class Function, class Handles>
struct kernel_takes_one_handle : if_met<Function>::template advises<struct pass_conditional_handle_to_its_parameter_of_type_cudaGraphConditionalHandle> {};
template <class Function>
struct kernel_counts_no_iterations : if_met<Function>::template advises<struct leave_at_most_and_check_every_out_or_decide_by_a_predicate> {};
template <class Function>
struct kernel_does_not_tell_the_host : if_met<Function>::template advises<struct decide_by_a_predicate> {};
template <class Function>
struct kernel_selects_no_case : if_met<Function>::template advises<struct decide_by_a_kernel_in_loop_while_do_while_or_when> {};

template <class Node>
struct second_branch_is_bare : if_met<Node>::template advises<struct write_otherwise_around_it> {};

template <class Node>
struct switch_on_has_no_otherwise : if_met<Node>::template advises<struct write_one_expression_a_case_or_when_around_the_switch> {};

template <class Node>
struct otherwise_without_when : if_met<Node>::template advises<struct write_when_predicate_expression_otherwise_expression> {};

// Arguments that are no expression, and the reason.
template <class Given>
struct not_an_expression : if_met<Given>::template advises<struct pass_nodes_or_expressions_of_nodes> {};

template <class Node>
struct arguments_are_missing : if_met<Node>::template advises<struct call_it_once_more_with_its_arguments> {};

template <class Node>
struct shape_is_missing : if_met<Node>::template advises<struct call_it_with_a_shape_and_then_with_its_arguments> {};

}  // namespace cograph::reason
