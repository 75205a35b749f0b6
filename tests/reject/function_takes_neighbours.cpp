// SPDX-License-Identifier: Apache-2.0
// reason: function_takes_neighbours
// expect: function_takes_neighbours<flux, x, near_t<1, 1>>
// expect: write_this_near_in_brackets_after_the_variable
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over<16, 16>(), flux{})(in(x[each]), out(y[each]));  // here
// [/wrong]
