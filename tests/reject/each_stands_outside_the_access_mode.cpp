// SPDX-License-Identifier: Apache-2.0
// reason: each_stands_outside_the_access_mode
// expect: each_stands_outside_the_access_mode<x>
// expect: write_x_each_or_x_near_inside_of_the_access_mode
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over(x), twice{})(inout(x)[each]);  // here
// [/wrong]
