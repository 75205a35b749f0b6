// SPDX-License-Identifier: Apache-2.0
// reason: predicate_is_neither_bool_nor_integer
// expect: predicate_is_neither_bool_nor_integer<formula_over<s>, float>
// expect: compare_it_with_something
#include "names.hpp"

// [wrong]
const auto wrong = when(s, fill(out(x), 1));  // here
// [/wrong]
