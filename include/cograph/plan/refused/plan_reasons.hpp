// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/reason.hpp>

namespace cograph::reason {

// Possible mistakes in a whole expression and in questions about it; docs/errors has an entry for each.

template <class Variable, class Node>
struct temp_read_before_written : if_met<Variable>::template advises<struct write_it_first_since_loops_may_run_zero_times_and_branches_not_at_all> {};

template <class Variable, class Node>
struct temp_is_only_partly_written : if_met<Variable>::template advises<struct write_all_of_it_first_or_declare_it_as_long_as_the_written_part> {};

template <class Variable>
struct ranks_decide_by_their_own : if_met<Variable>::template advises<struct reduce_or_broadcast_it_over_all_ranks_first> {};

template <class Variable>
struct pageable_memory_is_read_at_launch : if_met<Variable>::template advises<struct declare_it_as_a_pinned_buffer_or_write_another> {};

template <class Variable>
struct alignment_is_above_256_bytes : if_met<Variable>::template advises<struct bind_memory_of_your_own_or_align_its_elements_less> {};

template <class Function>
struct no_host_implementation : if_met<Function>::template advises<struct give_captured_a_host_function_after_its_function> {};
template <auto F>
struct no_host_implementation<kernel_function<F>> : advises<struct write_kernel_of_function_and_host_function> {};

template <class Variable>
struct only_scalars_are_fetched : if_met<Variable>::template advises<struct copy_a_buffer_from_the_memory_it_is_bound_to> {};

template <class Variable>
struct variable_is_not_in_the_expression : if_met<Variable>::template advises<struct name_one_that_the_expression_uses> {};

template <class Node>
struct cannot_be_left_out : if_met<Node>::template advises<struct disable_kernels_only_as_those_in_a_body> {};

template <class Node>
struct has_no_time_of_its_own : if_met<Node>::template advises<struct ask_for_the_nodes_in_its_body> {};

template <class Function>
struct function_cannot_take_steps : if_met<Function>::template advises<struct let_it_take_a_step_and_return_bool_or_nothing> {};

template <class Variable>
struct has_one_value : if_met<Variable>::template advises<struct ask_the_step_for_its_value> {};

template <class Variable>
struct has_many_values : if_met<Variable>::template advises<struct ask_the_step_for_its_span> {};

template <class Variable>
struct only_temps_may_alias : if_met<Variable>::template advises<struct ask_about_two_temps> {};

template <class Variable>
struct has_no_memory_of_its_own : if_met<Variable>::template advises<struct name_a_buffer_a_temp_or_a_scalar> {};

template <class Call>
struct stream_is_missing : if_met<Call>::template advises<struct write_run_on_stream_expression_bindings> {};

template <class Call>
struct cuda_is_missing : if_met<Call>::template advises<struct include_cograph_cuh_and_compile_with_nvcc_or_simulate> {};

template <class Given>
struct not_a_stream : if_met<Given>::template advises<struct give_it_a_std_ostream> {};

template <class Given>
struct not_a_selector : if_met<Given>::template advises<struct name_nodes_by_at_calls_or_kernel> {};

template <int Count>
struct among_nodes {};
template <class Selector, class Nodes>
struct selector_matches_nothing : if_met<Selector>::template advises<struct name_a_node_of_the_expression> {};

template <int Count>
struct all_of_nodes {};
template <class Selector, class Nodes>
struct selector_matches_several : if_met<Selector>::template advises<struct use_at_position> {};

template <class Selector>
struct selector_names_no_loop : if_met<Selector>::template advises<struct name_a_loop> {};

}  // namespace cograph::reason
