// SPDX-License-Identifier: Apache-2.0
// reason: not_a_shape
// expect: not_a_shape<int>
// expect: write_over_of_a_variable_or_grid_of_a_number
#include "names.hpp"

// [wrong]
const auto wrong = for_each(16, twice{})(inout(x[each]));  // here
// [/wrong]
