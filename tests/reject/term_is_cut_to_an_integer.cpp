// SPDX-License-Identifier: Apache-2.0
// reason: term_is_cut_to_an_integer
// expect: term_is_cut_to_an_integer<element_at, float, int>
// expect: let_the_scalar_hold_the_type_that_the_function_gives
#include "names.hpp"

// [wrong]
const auto wrong = reduce(out(i), in(x));  // here
// [/wrong]
