// SPDX-License-Identifier: Apache-2.0
// reason: kernel_selects_no_case
// expect: kernel_selects_no_case<kernel_function<is_done>>
// expect: decide_by_a_kernel_in_loop_while_do_while_or_when
#include "decided.hpp"

// [wrong]
const auto wrong = switch_on(decided_by<is_done>(grid(1))(x, conditional_handle, 3), body, seq(body, body));  // here
// [/wrong]
