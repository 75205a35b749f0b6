// SPDX-License-Identifier: Apache-2.0
// reason: iteration_count_and_body_are_swapped
// expect: iteration_count_and_body_are_swapped<fill_elements>
// expect: write_repeat_iteration_count_body
#include "names.hpp"

// [wrong]
const auto wrong = repeat(fill(out(x), 1), 3);  // here
// [/wrong]
