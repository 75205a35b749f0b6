// SPDX-License-Identifier: Apache-2.0
// reason: rounds_and_body_are_swapped
// expect: rounds_and_body_are_swapped<fill_elements>
// expect: write_repeat_rounds_body
#include "names.hpp"

// [wrong]
const auto wrong = repeat(fill(out(x), 1), 3);  // here
// [/wrong]
