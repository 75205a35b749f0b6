// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reason.hpp>

namespace cograph::core {
struct make_callable_call;
struct make_callable_pair_call;
}  // namespace cograph::core

namespace cograph::reason {

// What can be wrong with calls that replay a graph; docs/errors.md has an entry for each.

template <class... Given>
struct arguments_of_a_call_are_marked : advises<struct mark_each_buffer_scalar_or_value_in_or_out_or_inout> {};

template <class Variable>
struct argument_is_written : advises<struct mark_it_inout> {};

template <class Variable>
struct argument_is_read : advises<struct mark_it_inout_since_a_path_reads_it_first> {};

template <class Function, class... Examples>
struct function_takes_no_such_examples : advises<struct give_an_example_for_each_argument_behind_the_stream> {};

// What was given is no part of it: an expression's type is long.
template <>
struct arguments_are_not_those_of<core::make_callable_call>
    : advises<struct write_make_callable_expression_arguments_options_bindings_or_function_options_examples> {};
template <>
struct arguments_are_not_those_of<core::make_callable_pair_call>
    : advises<struct write_make_callable_pair_with_two_expressions_and_their_arguments_options_bindings> {};

}  // namespace cograph::reason
