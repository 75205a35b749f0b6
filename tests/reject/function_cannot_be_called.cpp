// SPDX-License-Identifier: Apache-2.0
// reason: function_cannot_be_called
// expect: function_cannot_be_called<twice, called_with<each_of<inout_t<d>>>, arriving_as<
// expect: make_the_function_take_these_arguments
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over(d), twice{})(inout(d[each]));  // here
// [/wrong]
