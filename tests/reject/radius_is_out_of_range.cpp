// SPDX-License-Identifier: Apache-2.0
// reason: radius_is_out_of_range
// expect: radius_is_out_of_range<x, near_t<9>>
// expect: give_one_to_three_numbers_from_0_to_8_that_are_not_all_0
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over(x), slope{})(in(x[near<9>]), out(y[each]));  // here
// [/wrong]
