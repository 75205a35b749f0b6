// SPDX-License-Identifier: Apache-2.0
// reason: arguments_are_missing
// expect: arguments_are_missing<twice>
// expect: call_it_once_more_with_its_arguments
#include "names.hpp"

// [wrong]
const auto wrong = seq(for_each(over(x), twice{}), fill(out(y), 1));  // here
// [/wrong]
