// SPDX-License-Identifier: Apache-2.0
// reason: shape_has_no_such_subset
// expect: shape_has_no_such_subset<over_t<x>>
// expect: write_every_after_over_of_one_dimension_and_checkerboard_after_a_box
#include "names.hpp"

// [wrong]
const auto wrong = over(x).checkerboard<0>();  // here
// [/wrong]
