// SPDX-License-Identifier: Apache-2.0
// reason: each_is_missing
// expect: each_is_missing<axpy, x>
// expect: write_each_in_brackets_after_the_variable
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over(x), axpy{})(tol, in(x), inout(y[each]));  // here
// [/wrong]
