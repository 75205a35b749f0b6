// SPDX-License-Identifier: Apache-2.0
// reason: not_a_predicate
// expect: not_a_predicate<positive>
// expect: compare_scalars_and_values_or_wrap_a_function_object_in_predicate
#include "names.hpp"

// [wrong]
const auto wrong = loop_while(positive{}, assign(s, s - 1));  // here
// [/wrong]
