// SPDX-License-Identifier: Apache-2.0
// reason: selector_is_not_an_integer
// expect: selector_is_not_an_integer<formula_over<s>, float>
// expect: select_by_an_integer
#include "names.hpp"

// [wrong]
const auto wrong = switch_on(s, fill(out(x), 1), fill(out(x), 2));  // here
// [/wrong]
