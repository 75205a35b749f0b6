// SPDX-License-Identifier: Apache-2.0
// reason: does_not_count_elements
// expect: does_not_count_elements<tol>
// expect: count_over_a_buffer_or_an_integer
#include "names.hpp"

// [wrong]
const auto wrong = over(tol);  // here
// [/wrong]
