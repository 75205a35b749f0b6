// SPDX-License-Identifier: Apache-2.0
// reason: seq_is_missing
// expect: seq_is_missing<copy_elements>
// expect: put_it_into_a_seq_together_with_the_expression_before_it
#include "names.hpp"

// [wrong]
const auto wrong = repeat(3, fill(out(x), 1), copy(in(x), out(y)));  // here
// [/wrong]
