// SPDX-License-Identifier: Apache-2.0
// reason: comparisons_are_chained
// expect: comparisons_are_chained<formula_over<i>, int>
// expect: write_two_comparisons_joined_by_and
#include "names.hpp"

// [wrong]
const auto wrong = when(0 < i < 10, fill(out(x), 1));  // here
// [/wrong]
