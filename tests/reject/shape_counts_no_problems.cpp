// SPDX-License-Identifier: Apache-2.0
// reason: shape_counts_no_problems
// expect: shape_counts_no_problems<
// expect: write_over_of_a_number_a_value_or_an_array
#include "names.hpp"

#include <cograph/batch.hpp>

constexpr auto step = for_each(over(x), axpy{})(tol, in(x[each]), inout(y[each]));
// [wrong]
const auto wrong = batch(grid(10), step)(of_each(y));  // here
// [/wrong]
