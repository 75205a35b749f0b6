// SPDX-License-Identifier: Apache-2.0
// reason: no_formula_of
// expect: no_formula_of<A, int>
// expect: write_formulas_over_variables_that_hold_numbers
#include "names.hpp"

// [wrong]
const auto wrong = assign(s, A + 1);  // here
// [/wrong]
