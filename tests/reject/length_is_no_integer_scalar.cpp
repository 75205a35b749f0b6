// SPDX-License-Identifier: Apache-2.0
// reason: length_is_no_integer_scalar
// expect: length_is_no_integer_scalar<s>
// expect: give_a_scalar_of_an_integer_or_write_over_of_a_number
#include "names.hpp"

// [wrong]
const auto wrong = over(x).first(s);  // here
// [/wrong]
