// SPDX-License-Identifier: Apache-2.0
// reason: argument_is_only_read
// expect: argument_is_only_read<clamp, s>
// expect: mark_it_out_or_inout
#include "names.hpp"

// [wrong]
const auto wrong = single_task(clamp{})(s, tol);  // here
// [/wrong]
