// SPDX-License-Identifier: Apache-2.0
// reason: text_and_expression_are_swapped
// expect: text_and_expression_are_swapped<copy_elements>
// expect: write_label_text_expression
#include "names.hpp"

// [wrong]
const auto wrong = label(copy(in(x), out(y)), "save");  // here
// [/wrong]
