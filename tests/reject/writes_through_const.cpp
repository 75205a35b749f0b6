// SPDX-License-Identifier: Apache-2.0
// reason: writes_through_const
// expect: writes_through_const<kernel_function<saxpy>, at_parameter<3, const float*>, out_t<x>>
// expect: mark_it_in_or_drop_the_const
#include "names.hpp"

// [wrong]
const auto wrong = kernel<saxpy>(over(x))(n, tol, out(x), y);  // here
// [/wrong]
