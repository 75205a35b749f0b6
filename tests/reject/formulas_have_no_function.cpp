// SPDX-License-Identifier: Apache-2.0
// reason: formulas_have_no_function
// expect: formulas_have_no_function<fmod_function, s, int>
// expect: use_one_that_formulas_have_or_compute_it_in_a_function_object
#include "names.hpp"

// [wrong]
const auto wrong = assign(s, fmod(s, 2));  // here
// [/wrong]
