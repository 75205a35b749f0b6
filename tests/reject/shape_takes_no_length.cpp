// SPDX-License-Identifier: Apache-2.0
// reason: shape_takes_no_length
// expect: shape_takes_no_length<grid_t>
// expect: write_first_once_and_after_over
#include "names.hpp"

// [wrong]
const auto wrong = grid(8).first(i);  // here
// [/wrong]
