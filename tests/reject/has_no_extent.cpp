// SPDX-License-Identifier: Apache-2.0
// reason: has_no_extent
// expect: has_no_extent<tol>
// expect: take_the_extent_of_a_buffer_or_a_temp
#include "names.hpp"

// [wrong]
const auto wrong = kernel<saxpy>(over(x))(extent(tol), tol, x, y);  // here
// [/wrong]
