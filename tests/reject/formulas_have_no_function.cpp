// SPDX-License-Identifier: Apache-2.0
// reason: formulas_have_no_function
// expect: formulas_have_no_function<pow_function, s, int>
// expect: use_min_max_abs_or_sqrt_or_compute_it_in_a_function_object
#include "names.hpp"

// [wrong]
const auto wrong = assign(s, pow(s, 2));  // here
// [/wrong]
