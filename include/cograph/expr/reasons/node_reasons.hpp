// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/reason.hpp>

namespace cograph::reason {

// Possible mistakes in a node; docs/errors has an entry for each.

template <int Count>
struct takes_parameters {};
template <int Count>
struct given_arguments {};
template <class Function, class Takes, class Given>
struct argument_count_differs : if_met<Function>::template advises<struct give_one_argument_for_each_parameter> {};

template <class Function, class Parameter, class Argument>
struct argument_does_not_fit : if_met<Function>::template advises<struct pass_the_type_that_the_parameter_takes> {};

template <class Function, class Parameter, class Argument>
struct writes_through_const : if_met<Function>::template advises<struct mark_it_in_or_drop_the_const> {};

template <class Function, class Parameter, class Argument>
struct write_is_lost : if_met<Function>::template advises<struct take_it_by_reference_or_mark_it_in> {};

template <class Function, class Scalar>
struct all_elements_change_one_scalar : if_met<Function>::template advises<struct use_a_reduction_or_atomic_operations_on_a_buffer_of_one_element> {};

template <class Function, class Result>
struct result_is_lost : if_met<Function>::template advises<struct let_it_write_the_variables_that_are_marked_out_or_inout> {};

template <class Function, class Parameter, class View>
struct access_mode_is_missing : if_met<Function>::template advises<struct mark_the_view_in_or_out_or_inout> {};

template <class Function, class With, class Arriving>
struct function_cannot_be_called : if_met<Function>::template advises<struct make_the_function_take_these_arguments> {};

template <class Function, class... Variables>
struct each_is_missing : if_met<Function>::template advises<struct write_each_in_brackets_after_the_variable> {};

template <class Function, class... Variables>
struct function_takes_all_elements : if_met<Function>::template advises<struct leave_each_out> {};

template <class Function, class Variable>
struct argument_is_only_read : if_met<Function>::template advises<struct mark_it_out_or_inout> {};

template <class Function>
struct call_operator_is_not_const : if_met<Function>::template advises<struct make_the_call_operator_const> {};

template <class Given>
struct not_a_kernel : if_met<Given>::template advises<struct name_a_global_function_that_returns_void> {};

template <class Function, class HostFunction>
struct host_implementation_differs : if_met<Function>::template advises<struct give_both_functions_the_same_parameters> {};

template <int Bytes>
struct parameter_bytes {};
template <class Function, class Bytes, class Limit>
struct parameters_are_too_large : if_met<Function>::template advises<struct bind_large_data_as_a_buffer> {};

template <class Function, class Takes, class Limit>
struct too_many_parameters : if_met<Function>::template advises<struct pass_several_in_one_struct> {};

template <class Given>
struct not_a_shape : if_met<Given>::template advises<struct write_over_of_a_variable_or_grid_of_a_number> {};

template <class Function>
struct grid_counts_no_elements : if_met<Function>::template advises<struct write_over_of_a_variable_or_a_count> {};

template <class V, class Expected>
struct result_is_no_found_element : if_met<V>::template advises<struct declare_the_scalar_of_this_type> {};

template <class V>
struct scanned_in_place : if_met<V>::template advises<struct give_out_another_variable> {};

template <class V>
struct parts_are_one_variable : if_met<V>::template advises<struct give_each_part_a_variable> {};

template <class Function>
struct terms_are_only_read : if_met<Function>::template advises<struct write_it_in_a_for_each_before_the_scan> {};

template <class V>
struct count_is_no_integer : if_met<V>::template advises<struct count_into_an_integer_scalar> {};

template <int Count>
struct takes_terms;
template <class Function, class Count>
struct function_gives_no_such_terms : if_met<Function>::template advises<struct return_terms_with_one_for_each_operation> {};
template <class Function>
struct operations_are_for_all_elements : if_met<Function>::template advises<struct write_a_transform_reduce_for_each_operation> {};

template <class V>
struct offsets_are_no_integers : if_met<V>::template advises<struct give_an_array_of_integers_that_ascend> {};

template <class Given>
struct terms_are_not_counted : if_met<Given>::template advises<struct write_over_of_the_array_with_the_terms> {};

template <class Function>
struct groups_are_for_for_each : if_met<Function>::template advises<struct leave_out_group_or_call_for_each> {};
template <class Function>
struct group_is_taken_by_value : if_met<Function>::template advises<struct take_the_group_by_reference_to_const> {};
template <class Function>
struct prepare_and_finish_do_not_fit : if_met<Function>::template advises<struct let_finish_take_the_result_of_prepare_before_the_arguments> {};

template <class Element>
struct shared_elements_are_not_plain : if_met<Element>::template advises<struct give_a_trivially_copyable_type_aligned_to_16_bytes_at_most> {};

template <class Given>
struct not_a_number_of_elements : if_met<Given>::template advises<struct give_an_integer_an_extent_an_integer_value_or_a_formula_of_them> {};

template <int Size>
struct group_size_is_no_power_of_two : advises<struct give_1_2_4_and_so_on_up_to_1024> {};

template <class Length>
struct length_is_no_integer_scalar : if_met<Length>::template advises<struct give_a_scalar_of_an_integer_or_write_over_of_a_number> {};

template <class Shape>
struct shape_takes_no_length : if_met<Shape>::template advises<struct write_first_once_and_after_over> {};

template <class Function>
struct lengths_are_for_library_nodes : if_met<Function>::template advises<struct give_the_kernel_the_scalar_and_test_it_there> {};

template <class Function>
struct attributes_are_for_kernels : if_met<Function>::template advises<struct leave_out_cluster_cooperative_priority_and_programmatic> {};

template <class Given>
struct does_not_count_elements : if_met<Given>::template advises<struct count_over_a_buffer_or_an_integer> {};
template <class...>
struct formula_over;
template <class... Variables>
struct does_not_count_elements<formula_over<Variables...>> : if_met<formula_over<Variables...>>::template advises<struct write_the_formula_in_angle_brackets> {};

template <class Scalar>
struct scalar_counts_no_elements : if_met<Scalar>::template advises<struct count_over_the_array_and_test_the_index_in_the_function_or_use_an_integer_value> {};

template <index_t... Extents>
struct extent_is_not_positive : advises<struct give_at_least_one> {};

template <index_t... Extents>
struct grid_is_too_large : advises<struct give_at_most_2147483647_and_65535_and_65535_blocks> {};

template <index_t... Extents>
struct block_is_too_large : advises<struct give_at_most_1024_threads_and_64_along_z> {};

template <index_t... Blocks>
struct cluster_is_too_large : advises<struct give_at_most_16_blocks> {};

template <index_t Bytes>
struct shared_memory_is_too_large : advises<struct ask_for_at_most_232448_bytes> {};

template <class Operation, class Type>
struct identity_is_missing : if_met<Operation>::template advises<struct pass_the_value_that_changes_nothing_after_the_operation> {};

template <class Operation, class Type>
struct operation_cannot_join : if_met<Operation>::template advises<struct let_it_take_two_of_that_type_and_give_one> {};

template <class Operation>
struct in_any_order_is_no_constant : if_met<Operation>::template advises<struct write_static_constexpr_bool_in_any_order> {};

template <class Function, class Term, class Type>
struct term_is_cut_to_an_integer : if_met<Function>::template advises<struct let_the_scalar_hold_the_type_that_the_function_gives> {};

template <class Function, class Type>
struct term_does_not_convert : if_met<Function>::template advises<struct let_the_function_give_the_type_of_the_scalar> {};

template <class Type>
struct elements_cannot_be_assigned : if_met<Type>::template advises<struct leave_const_and_references_out_of_its_members> {};

template <int Bytes>
struct result_bytes {};
template <class Type, class Bytes, class Limit>
struct result_is_too_large : if_met<Type>::template advises<struct reduce_its_parts_by_nodes_of_their_own> {};

template <class Function, class Formula>
struct formula_is_no_argument : if_met<Function>::template advises<struct assign_it_to_a_scalar_and_pass_that_or_compute_it_in_the_function> {};

template <class Function, class Node>
struct expression_is_no_argument : if_met<Function>::template advises<struct put_it_before_the_node_with_seq_and_pass_the_variable_that_it_writes> {};

template <class Variable>
struct assigned_is_no_scalar : if_met<Variable>::template advises<struct assign_to_a_scalar_or_fill_an_array> {};

template <class Scalar>
struct assigned_value_is_no_number : if_met<Scalar>::template advises<struct write_fill_out_s_value_or_copy_in_t_out_s> {};

template <class Scalar>
struct assigned_formula_is_over_arrays : if_met<Scalar>::template advises<struct write_reduce_or_transform_reduce_out_s> {};

template <class Variable>
struct result_is_no_scalar : if_met<Variable>::template advises<struct receive_the_result_in_a_scalar> {};

template <class... Given>
struct result_is_not_marked_out : advises<struct begin_the_arguments_with_out_of_a_scalar> {};

template <class Function, class Variable>
struct device_code_takes_host_memory : if_met<Function>::template advises<struct copy_it_to_a_buffer_first> {};

template <class V>
struct swapped_with_itself : if_met<V>::template advises<struct give_two_variables> {};

template <class From, class To>
struct copied_elements_differ : if_met<From>::template advises<struct give_both_variables_elements_of_one_type> {};

template <class Function, class Type>
struct argument_is_not_trivially_copyable : if_met<Function>::template advises<struct pass_plain_values_and_bind_memory_to_variables> {};

template <class Given>
struct not_a_function_object : if_met<Given>::template advises<struct write_a_struct_with_a_call_operator> {};

template <class Lambda>
struct lambda_is_for_one_side_only : if_met<Lambda>::template advises<struct write_COGRAPH_HD_after_its_brackets_and_pass_extended_lambda_to_nvcc_or_write_a_struct> {};

template <class Function>
struct each_without_elements : if_met<Function>::template advises<struct pass_the_whole_or_use_for_each> {};

// Marks.
template <class Variable>
struct each_stands_outside_the_access_mode : if_met<Variable>::template advises<struct write_x_each_or_x_near_inside_of_the_access_mode> {};

template <class Given>
struct not_a_variable : if_met<Given>::template advises<struct mark_variables_only> {};
// The result of a declaration with an error: an empty class.
template <class Given>
    requires(__is_empty(Given))
struct not_a_variable<Given> : if_met<Given>::template advises<struct mark_variables_only_and_mend_its_declaration_if_it_is_one> {};

template <class Variable>
struct value_cannot_be_written : if_met<Variable>::template advises<struct make_it_a_scalar> {};

template <class Variable>
struct has_no_extent : if_met<Variable>::template advises<struct take_the_extent_of_a_buffer_or_a_temp> {};

}  // namespace cograph::reason
