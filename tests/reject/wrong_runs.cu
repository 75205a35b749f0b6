// SPDX-License-Identifier: Apache-2.0
// reason: arguments_are_not_those_of
// row: `arguments_are_not_those_of` of what runs an expression
// errors: 17
// expect: write_use_of_a_named_resource_or_pool_or_of_two_functions
// expect: write_profile_stream_expression_bindings
// expect: write_check_finite_stream_expression_bindings
// expect: write_check_no_nan_stream_expression_bindings
// expect: write_check_captures_stream_expression_bindings
// expect: write_check_on_stream_expression_bindings
// expect: write_write_table_stream_and_the_result_of_profile
// expect: write_write_cuda_dot_executable_path
// expect: stream_is_missing<for_run_on>
// expect: write_run_on_stream_expression_bindings
// expect: write_instantiate_expression_bindings
// expect: write_add_to_graph_dependencies_expression_bindings
// expect: not_an_expression<int>
#include "names.hpp"
#include <cograph/check_captures.cuh>
#include <cograph/check_finite.cuh>
#include <cograph/check_on.cuh>
#include <cograph/join/add_to.cuh>
#include <cograph/nvtx.cuh>
#include <cograph/profile.cuh>

constexpr auto e = fill(out(x), 1);

void run(cudaStream_t stream, std::string& text) {
    // [wrong]
    use(3);                            // here
    use(nullptr, 3);                   // here
    profile(3, e);                     // here
    profile(stream, 3);                // here
    check_finite(e, x(memory));        // here
    check_no_nan(stream, twice{});     // here
    check_captures(e, x(memory));      // here
    check_on(e, x(memory));            // here
    check_on(stream, 3);               // here
    write_table(text, 3);              // here
    write_cuda_dot(3, "graph.dot");    // here
    add_to(3, e, x(memory));           // here
    nvtx::run_on(e, x(memory));        // here
    nvtx::run_on(stream, 3);           // here
    nvtx::run_on(stream);              // here
    nvtx::instantiate(3);              // here
    nvtx::instantiate();               // here
    // [/wrong]
}
