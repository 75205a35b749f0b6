// SPDX-License-Identifier: Apache-2.0
// reason: assigned_value_is_no_number
// expect: assigned_value_is_no_number<few>
// expect: write_fill_out_s_value_or_copy_in_t_out_s
#include "names.hpp"

// [wrong]
const auto wrong = assign(few, moments<4>{});  // here
// [/wrong]
