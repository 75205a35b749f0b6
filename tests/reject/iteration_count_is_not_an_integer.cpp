// SPDX-License-Identifier: Apache-2.0
// reason: iteration_count_is_not_an_integer
// expect: iteration_count_is_not_an_integer<double>
// expect: repeat_an_integer_or_an_integer_formula
#include "names.hpp"

// [wrong]
const auto wrong = repeat(2.5, fill(out(x), 1));  // here
// [/wrong]
