// SPDX-License-Identifier: Apache-2.0
// reason: arguments_are_not_those_of
// row: `arguments_are_not_those_of` of questions, predicates and shapes
// errors: 18
// expect: write_write_json_stream_expression
// expect: write_memory_usage_expression_bindings
// expect: write_is_persistent_expression_and_selector_or_label
// expect: write_why_not_persistent_expression_and_selector_or_label
// expect: write_why_no_phase_expression_and_selector
// expect: arguments_are_not_those_of<share_kernel_query
// expect: write_may_alias_expression_and_two_temps
// expect: write_max_abs_of_a_buffer_or_temp
// expect: write_count_if_variable_function_and_its_arguments
// expect: choose_a_capture_mode
// expect: write_barrier_without_arguments
// expect: give_one_to_three_whole_numbers_of_blocks
// expect: give_one_to_three_whole_numbers_of_threads
// expect: give_a_whole_number_of_bytes
// expect: arguments_are_not_those_of<priority_call, double>
// expect: arguments_are_not_those_of<at_most_call>
// expect: query_one_expression
// expect: write_require_persistent_expression_and_perhaps_a_selector_or_label
#include "names.hpp"

#include <cograph/join/persistent.hpp>

constexpr auto e = fill(out(x), 1);
struct enqueue {
    void operator()(CUstream_st*) const {}
};

void ask(std::string& text) {
    // [wrong]
    write_json(text, 3);                     // here
    memory_usage(3);                             // here
    is_persistent(e);                        // here
    why_not_persistent(3, at<0>);            // here
    why_no_phase(e);                         // here
    share_kernel(e, at<0>);                  // here
    may_alias(e);                         // here
    has_conditional_nodes(3);                // here
    require_persistent(3);                   // here
    when(max_abs(3) > 1, e);                 // here
    when(count_if(x) > 1, e);                // here
    captured(enqueue{}).mode<3>();           // here
    barrier(3);                              // here
    over(x).cluster(3.5);                    // here
    over(x).block(127.5);                    // here
    over(x).shared(0.5);                     // here
    over(x).priority(1.5);                   // here
    loop_while(s > tol, e, at_most());       // here
    // [/wrong]
}
