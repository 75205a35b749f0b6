// SPDX-License-Identifier: Apache-2.0
// reason: iteration_count_is_not_an_integer
// row: `iteration_count_is_not_an_integer` of a formula
// expect: iteration_count_is_not_an_integer<formula_over<s>>
// expect: repeat_an_integer_or_an_integer_formula
#include "names.hpp"

const auto wrong = repeat(s / 2, fill(out(x), 1));  // here
