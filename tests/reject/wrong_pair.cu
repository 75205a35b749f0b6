// SPDX-License-Identifier: Apache-2.0
// reason: unbound_variable
// row: a wrong call of `make_callable_pair`
// errors: 9
// expect: unbound_variable<h>
// expect: unknown_variable<z>
// expect: argument_is_written<y>
// expect: not_a_binding<int>
// expect: arguments_are_not_those_of<saved_call, t, int>
// expect: arguments_are_not_those_of<saved_call, h>
// expect: arguments_are_not_those_of<saved_call, s, int>
// expect: write_saved_of_a_buffer_and_its_number_of_elements
// expect: arguments_are_not_those_of<output_call, int>
// expect: write_output_of_a_std_span
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct z : buffer<z, float> {} z;
inline constexpr struct h : buffer<h, float> {} h;
inline constexpr struct t : temp<t, float> {} t;
inline constexpr struct s : scalar<s, float> {} s;
struct clear {
    void operator()(cudaStream_t, std::span<float>) const {}
};
constexpr auto there = copy(in(x), out(h));
constexpr auto back = copy(in(h), out(y));

void run(float* memory, float* more) {
    make_callable_pair(there, arguments(in(x)), back, arguments(out(y)), {}, x(memory, 8), y(more, 8));                            // here
    make_callable_pair(there, arguments(in(x)), back, arguments(out(y)), {}, x(memory, 8), y(more, 8), saved(h, 8), z(memory, 8));  // here
    make_callable_pair(there, arguments(in(x)), back, arguments(in(y)), {}, x(memory, 8), y(more, 8), saved(h, 8));                 // here
    make_callable_pair(there, arguments(in(x)), back, arguments(out(y)), {}, x(memory, 8), y(more, 8), saved(h, 8), 8);             // here
    make_callable_pair(there, arguments(in(x)), back, arguments(out(y)), {}, x(memory, 8), y(more, 8), saved(t, 8));                // here
    make_callable_pair(there, arguments(in(x)), back, arguments(out(y)), {}, x(memory, 8), y(more, 8), saved(h));                   // here
    make_callable_pair(there, arguments(in(x)), back, arguments(out(y)), {}, x(memory, 8), y(more, 8), saved(s, 1));                // here
    make_callable(clear{}, {}, output(3));                                                                                         // here
    make_callable(clear{}, {}, output(memory, 8));                                                                                 // here
}
