// SPDX-License-Identifier: Apache-2.0
// reason: formulas_change_nothing
// expect: formulas_change_nothing<i>
// expect: write_assign_scalar_formula
#include "names.hpp"

// [wrong]
const auto wrong = seq(fill(out(x), 1), i += 1);  // here
// [/wrong]
