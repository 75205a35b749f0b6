// SPDX-License-Identifier: Apache-2.0
// reason: operand_is_not_an_integer
// expect: operand_is_not_an_integer<s>
// expect: give_the_operator_integers_or_compute_it_in_a_single_task
#include "names.hpp"

// [wrong]
constexpr auto wrong = assign(s, s % 2);  // here
// [/wrong]
