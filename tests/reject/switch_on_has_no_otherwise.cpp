// SPDX-License-Identifier: Apache-2.0
// reason: switch_on_has_no_otherwise
// expect: switch_on_has_no_otherwise<fill_elements>
// expect: write_one_expression_a_case_or_when_around_the_switch
#include "names.hpp"

// [wrong]
const auto wrong = switch_on(i, fill(out(x), 1), fill(out(x), 2), otherwise(fill(out(x), 3)));  // here
// [/wrong]
