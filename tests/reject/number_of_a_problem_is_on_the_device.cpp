// SPDX-License-Identifier: Apache-2.0
// reason: number_of_a_problem_is_on_the_device
// expect: number_of_a_problem_is_on_the_device<n>
// expect: use_a_value_that_all_problems_share
#include "names.hpp"

#include <cograph/batch.hpp>

// [wrong]
const auto wrong = batch(over(10), for_each(over<n + 1>(), from_zero{})(out(y[each])))(of_each(y), of_each(n));  // here
// [/wrong]
