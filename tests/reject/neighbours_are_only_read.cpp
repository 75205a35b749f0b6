// SPDX-License-Identifier: Apache-2.0
// reason: neighbours_are_only_read
// expect: neighbours_are_only_read<x>
// expect: mark_x_near_in_and_write_another_variable
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over(x), slope{})(inout(x[near<1>]), out(y[each]));  // here
// [/wrong]
