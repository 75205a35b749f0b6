// SPDX-License-Identifier: Apache-2.0
// reason: no_formula_over
// expect: no_formula_over<A>
// expect: write_formulas_over_variables_that_hold_numbers
#include "names.hpp"

// [wrong]
const auto wrong = when(!A, fill(out(y), 1));  // here
// [/wrong]
