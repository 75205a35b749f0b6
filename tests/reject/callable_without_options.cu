// SPDX-License-Identifier: Apache-2.0
// reason: arguments_are_not_those_of
// row: `arguments_are_not_those_of` of `make_callable` and `make_callable_pair`
// errors: 6
// expect: arguments_are_not_those_of<make_callable_call>
// expect: write_make_callable_expression_arguments_options_bindings_or_function_options_examples
// expect: arguments_are_not_those_of<make_callable_pair_call>
// expect: write_make_callable_pair_with_two_expressions_and_their_arguments_options_bindings
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
constexpr auto there = copy(in(x), out(y));
constexpr auto back = copy(in(y), out(x));
struct clear {
    void operator()(cudaStream_t, std::span<float>) const {}
};

void run(std::span<float> memory) {
    const callable_options options;
    make_callable(there, arguments(in(x), out(y)), x(memory), y(memory));                     // here
    make_callable(there, options, x(memory), y(memory));                                      // here
    make_callable(there, in(x), out(y), {}, x(memory), y(memory));                            // here
    make_callable(there, in(x), in(x), out(y), {}, x(memory), y(memory));                     // here
    make_callable(clear{}, memory);                                                           // here
    make_callable_pair(there, arguments(in(x)), options, back, arguments(out(x)), x(memory));  // here
}
