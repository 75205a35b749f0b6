// SPDX-License-Identifier: Apache-2.0
// reason: does_not_count_elements
// row: a formula that counts elements
// expect: does_not_count_elements<formula_over<extent_t<x>>>
// expect: write_the_formula_in_angle_brackets
#include "names.hpp"

const auto wrong = for_each(over(extent(x) - 1), twice{})(inout(x[each]));  // here
