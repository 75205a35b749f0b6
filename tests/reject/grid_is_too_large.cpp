// SPDX-License-Identifier: Apache-2.0
// reason: grid_is_too_large
// expect: grid_is_too_large<1, 70000, 1>
// expect: give_at_most_2147483647_and_65535_and_65535_blocks
#include "names.hpp"

// [wrong]
const auto wrong = grid<1, 70000>();  // here
// [/wrong]
