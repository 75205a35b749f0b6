// SPDX-License-Identifier: Apache-2.0
// reason: text_of_a_label_is_no_const_char_pointer
// row: `text_of_a_label_is_no_const_char_pointer` of a question about a loop
// expect: text_of_a_label_is_no_const_char_pointer<
#include "names.hpp"

void ask(const std::string& text) {
    auto report = simulate(label("count", loop_while(i < n, assign(i, i + 1))), i(&count), n(3));
    report.iterations(text);  // here
}
