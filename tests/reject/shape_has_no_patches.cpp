// SPDX-License-Identifier: Apache-2.0
// reason: shape_has_no_patches
// expect: shape_has_no_patches<over_t<x>>
// expect: write_in_patches_after_a_box_of_two_dimensions
#include "names.hpp"

// [wrong]
const auto wrong = over(x).in_patches();  // here
// [/wrong]
