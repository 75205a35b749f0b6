// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/reason.hpp>

namespace cograph::reason {

// Possible mistakes in variables and their bindings; docs/errors has an entry for each.

template <class T>
struct holds_elements_of {};
template <class T>
struct bound_to {};
template <class Variable, class Elements, class Bound>
struct elements_differ : if_met<Variable>::template advises<struct bind_memory_of_the_variables_own_type> {};

template <class Variable, class Tag>
struct variable_has_the_tag_of_another : if_met<Variable>::template advises<struct let_it_name_itself> {};

template <class Variable, class Container>
struct container_owns_memory : if_met<Variable>::template advises<struct pass_a_span_of_it> {};

template <class Variable, class Pointer>
struct count_is_missing : if_met<Variable>::template advises<struct bind_a_pointer_and_a_count_or_a_span> {};

template <class Variable, class Bound>
struct not_contiguous_memory : if_met<Variable>::template advises<struct bind_a_span_or_a_pointer_and_a_count> {};

template <class Variable, class Bound>
struct view_may_leave_elements_out : if_met<Variable>::template advises<struct bind_a_span_or_the_pointer_and_count_of_contiguous_elements> {};

template <class Variable, class Bound>
struct scalar_needs_a_pointer : if_met<Variable>::template advises<struct bind_the_address_of_one_element> {};

template <class T>
struct is_of_type {};
template <class Variable, class Type, class Bound>
struct value_does_not_convert : if_met<Variable>::template advises<struct bind_a_value_of_the_variables_own_type> {};

template <class Variable, class Type>
struct not_trivially_copyable : if_met<Variable>::template advises<struct keep_pointers_and_sizes_in_it_and_no_owners> {};

template <class Variable, class Type>
struct elements_are_not_trivially_copyable : if_met<Variable>::template advises<struct hold_plain_values_without_const> {};

// How many arguments a binding has.
template <class Variable, class... Given>
struct not_bound_like_this : any_reason {};

template <class Variable, class Bound>
struct temp_takes_a_count : if_met<Variable>::template advises<struct bind_the_number_of_its_elements> {};

template <class Variable, class Like>
struct temp_has_an_extent_already : if_met<Variable>::template advises<struct do_not_bind_it> {};

template <class Given>
struct no_size_of : if_met<Given>::template advises<struct write_sizes_over_extents_integers_and_integer_values> {};

// Elements.
template <class Variable, class Index>
struct elements_are_not_indexed : if_met<Variable>::template advises<struct write_x_each_or_index_in_the_function_object> {};

template <class Variable>
struct has_no_elements : if_met<Variable>::template advises<struct use_each_of_buffers_and_temps> {};

template <class Bound>
struct only_memory_is_device_updatable : if_met<Bound>::template advises<struct remove_device_updatable> {};

// Reasons about all bindings of a run.
template <class... Variables>
struct unbound_variable : advises<struct add_its_binding_to_the_call> {};

template <class... Variables>
struct variable_bound_twice : advises<struct keep_one_of_its_bindings> {};

template <class... Variables>
struct unknown_variable : advises<struct remove_its_binding_or_use_it_in_the_expression> {};

template <class... Variables>
struct bound_memory_is_const : advises<struct bind_memory_that_may_be_written> {};

struct memory_of_temps_is_no_binding : advises<struct write_use_of_it_right_after_the_expression_of_instantiate_or_in_the_options_of_a_callable> {};

template <class Given>
struct not_a_binding : if_met<Given>::template advises<struct call_a_variable_with_its_memory_or_value> {};

}  // namespace cograph::reason
