// SPDX-License-Identifier: Apache-2.0
// reason: formula_is_no_argument
// expect: formula_is_no_argument<axpy, formula_over<s>>
// expect: assign_it_to_a_scalar_and_pass_that_or_compute_it_in_the_function
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over(x), axpy{})(2 * s, in(x[each]), inout(y[each]));  // here
// [/wrong]
