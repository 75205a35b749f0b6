// SPDX-License-Identifier: Apache-2.0
// reason: not_a_shape
// row: `not_a_shape` of `transform_reduce`
// expect: not_a_shape<x>
// expect: write_over_of_a_variable_or_grid_of_a_number
#include "names.hpp"

const auto wrong = transform_reduce(x, square{}, plus{})(out(s), in(x[each]));  // here
