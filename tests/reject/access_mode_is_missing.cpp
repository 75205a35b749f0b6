// SPDX-License-Identifier: Apache-2.0
// reason: access_mode_is_missing
// expect: access_mode_is_missing<kernel_function<multiply>, at_parameter<1, csr>, A>
// expect: mark_the_view_in_or_out_or_inout
#include "names.hpp"

// [wrong]
const auto wrong = kernel<multiply>(over(x))(A, x, y);  // here
// [/wrong]
