// SPDX-License-Identifier: Apache-2.0
// reason: not_a_subset
// expect: not_a_subset<2, 2>
// expect: give_a_stride_above_the_offset_or_a_colour_of_0_or_1
#include "names.hpp"

// [wrong]
const auto wrong = over(x).every<2, 2>();  // here
// [/wrong]
