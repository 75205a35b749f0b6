// SPDX-License-Identifier: Apache-2.0
// reason: text_of_a_label_is_no_const_char_pointer
// expect: text_of_a_label_is_no_const_char_pointer<
// expect: give_a_literal_or_a_const_char_pointer_to_text_that_lives_on
#include "names.hpp"

#include <string_view>

// [wrong]
const auto wrong = label(std::string_view("save"), copy(in(x), out(y)));  // here
// [/wrong]
