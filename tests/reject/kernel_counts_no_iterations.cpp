// SPDX-License-Identifier: Apache-2.0
// reason: kernel_counts_no_iterations
// expect: kernel_counts_no_iterations<kernel_function<is_done>>
// expect: leave_at_most_and_check_every_out_or_decide_by_a_predicate
#include "decided.hpp"

// [wrong]
const auto wrong = loop_while(decided_by<is_done>(grid(1))(x, conditional_handle, 3), body, at_most(1000));  // here
// [/wrong]
