// SPDX-License-Identifier: Apache-2.0
// reason: scalar_counts_no_elements
// expect: scalar_counts_no_elements<i>
// expect: count_over_the_array_and_test_the_index_in_the_function_or_use_an_integer_value
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over(i), twice{})(inout(x[each]));  // here
// [/wrong]
