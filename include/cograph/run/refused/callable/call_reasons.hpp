// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/refused/plan_reasons.hpp>

namespace cograph::core {
struct make_callable_call;
struct make_callable_pair_call;
struct callable_call;
}  // namespace cograph::core

namespace cograph::reason {

// Possible mistakes in calls that replay a graph; docs/errors has an entry for each.

template <class... Given>
struct arguments_of_a_call_are_marked : advises<struct mark_each_buffer_scalar_or_value_in_or_out_or_inout> {};

template <class Temp>
struct temp_is_no_argument_of_a_call : if_met<Temp>::template advises<struct make_it_a_buffer_or_leave_it_out_of_the_arguments> {};

template <class... Variables>
struct variable_is_an_argument_twice : advises<struct name_it_once_inout_if_it_is_both> {};

template <class Variable>
struct argument_is_written : if_met<Variable>::template advises<struct mark_it_inout> {};

template <class Variable>
struct argument_is_read : if_met<Variable>::template advises<struct mark_it_inout_since_a_path_reads_it_first> {};

template <class Variable>
struct argument_may_stay_unwritten : if_met<Variable>::template advises<struct mark_it_inout_since_a_path_does_not_write_it> {};

template <class Variable>
struct argument_of_a_call_is_rebound : if_met<Variable>::template advises<struct give_it_to_the_call> {};

template <class... Variables>
struct variable_is_an_argument_of_only_one_call : advises<struct name_it_among_the_arguments_of_both_or_bind_it_by_saved> {};

template <class Scalar, class Given>
struct scalar_needs_a_span : if_met<Scalar>::template advises<struct pass_a_span_of_its_one_element> {};

template <class Function, class... Examples>
struct function_takes_no_such_examples : if_met<Function>::template advises<struct give_an_example_for_each_argument_after_the_stream> {};

template <class Given>
struct has_no_static_memory : if_met<Given>::template advises<struct name_a_buffer_or_a_scalar_among_the_arguments> {};

// The arguments that a call takes.
template <class... Arguments>
struct call_after_its_stream {};
template <int Position>
struct argument_number {};  // of a stream function, whose first is the stream
template <>
struct stream_is_missing<core::callable_call> : advises<struct call_it_with_a_stream_and_then_its_arguments> {};

// The arguments are no part of it: an expression's type is long.
template <>
struct arguments_are_not_those_of<core::make_callable_call>
    : advises<struct write_make_callable_expression_arguments_options_bindings_or_function_options_examples> {};
template <>
struct arguments_are_not_those_of<core::make_callable_pair_call>
    : advises<struct write_make_callable_pair_with_two_expressions_and_their_arguments_options_bindings> {};

}  // namespace cograph::reason
