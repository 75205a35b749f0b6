// SPDX-License-Identifier: Apache-2.0
// reason: not_sides_of_a_box
// expect: not_sides_of_a_box<n, int>
// expect: give_only_integers_or_only_extents_and_values_or_write_them_in_angle_brackets
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over(n, 16), flux{})(in(x[near<1, 1>]), out(y[each]));  // here
// [/wrong]
