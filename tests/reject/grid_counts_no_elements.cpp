// SPDX-License-Identifier: Apache-2.0
// reason: grid_counts_no_elements
// expect: grid_counts_no_elements<twice>
// expect: write_over_of_a_variable_or_a_count
#include "names.hpp"

// [wrong]
const auto wrong = for_each(grid(16), twice{})(inout(x[each]));  // here
// [/wrong]
