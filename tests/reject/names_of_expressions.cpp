// SPDX-License-Identifier: Apache-2.0
// reason: arguments_are_not_those_of
// row: `arguments_are_not_those_of` with an expression among them
// errors: 12
// expect: arguments_are_not_those_of<write_dot_call, expression_of<copy_elements>
// expect: arguments_are_not_those_of<write_json_call, expression_of<copy_elements>>
// expect: arguments_are_not_those_of<order_all, expression_of<copy_elements>>
// expect: arguments_are_not_those_of<copy_elements, in_t<x>, out_t<y>, expression_of<copy_elements>>
// expect: arguments_are_not_those_of<fill_elements, out_t<x>, expression_of<copy_elements>>
// expect: arguments_are_not_those_of<loops_of_two_nodes, at_t<0>, at_t<1>>, ask_share_kernel_about_two_nodes
// expect: arguments_are_not_those_of<why_no_tiles_query, expression_of<copy_elements>>, write_why_no_tiles_expression_and_selector_or_label
// expect: arguments_are_not_those_of<where_on_chip_query, expression_of<copy_elements>, x>, write_where_on_chip_expression_selector_or_label_and_variable
// expect: arguments_are_not_those_of<repeat_call, n, expression_of<copy_elements>>, write_repeat_iteration_count_body
// expect: arguments_are_not_those_of<repeat_call, expression_of<copy_elements>>, write_repeat_iteration_count_body
// expect: arguments_are_not_those_of<do_while_call, expression_of<copy_elements>>, write_do_while_body_predicate
// expect: arguments_are_not_those_of<over_call, n, n, n, n>, count_over_a_buffer_or_one_to_three_integers
#include "names.hpp"

constexpr auto e = copy(in(x), out(y));

void ask(std::string& text) {
    // [wrong]
    write_dot(e, text);              // here
    write_json(e);                   // here
    barrier(e);                      // here
    copy(in(x), out(y), e);          // here
    fill(out(x), e);                 // here
    is_persistent(e, at<0>, at<1>);  // here
    why_no_tiles(e);                 // here
    where_on_chip(e, x);             // here
    repeat<n>(e);                    // here
    repeat(e);                       // here
    do_while(e);                     // here
    over(n, n, n, n);                // here
    // [/wrong]
}
