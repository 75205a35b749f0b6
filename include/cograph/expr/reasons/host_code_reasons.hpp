// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/reason.hpp>

namespace cograph::reason {

// Possible mistakes in nodes of host code; docs/errors has an entry for each.

template <class Function, class Variable>
struct access_is_not_declared : if_met<Function>::template advises<struct mark_the_variable_in_or_out_or_inout> {};

template <class Function, class Argument>
struct host_code_takes_all_elements : if_met<Function>::template advises<struct mark_the_variable_without_each> {};

template <class Function, class Result>
struct result_is_no_status : if_met<Function>::template advises<struct return_nothing_or_a_status_whose_zero_is_success> {};

template <class Function, class Result>
struct host_work_returns_something : if_met<Function>::template advises<struct let_it_write_through_a_pointer> {};

template <class Function, class View>
struct warm_up_cannot_restore : if_met<Function>::template advises<struct hand_it_the_memory_of_the_view_as_a_buffer> {};

}  // namespace cograph::reason
