// SPDX-License-Identifier: Apache-2.0
// reason: arguments_are_not_those_of
// row: `arguments_are_not_those_of` with an expression among them
// errors: 5
// expect: arguments_are_not_those_of<write_dot_call, expression_of<copy_elements>
// expect: arguments_are_not_those_of<write_json_call, expression_of<copy_elements>>
// expect: arguments_are_not_those_of<order_all, expression_of<copy_elements>>
// expect: arguments_are_not_those_of<copy_elements, in_t<x>, out_t<y>, expression_of<copy_elements>>
// expect: arguments_are_not_those_of<fill_elements, out_t<x>, expression_of<copy_elements>>
#include "names.hpp"

constexpr auto e = copy(in(x), out(y));

void ask(std::string& text) {
    // [wrong]
    write_dot(e, text);      // here
    write_json(e);           // here
    barrier(e);              // here
    copy(in(x), out(y), e);  // here
    fill(out(x), e);         // here
    // [/wrong]
}
