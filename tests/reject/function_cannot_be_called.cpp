// SPDX-License-Identifier: Apache-2.0
// reason: function_cannot_be_called
// expect: function_cannot_be_called<twice, called_with<inout_t<x>>, arriving_as<
// expect: make_the_function_take_these_arguments
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over(x), twice{})(inout(x));  // here
// [/wrong]
