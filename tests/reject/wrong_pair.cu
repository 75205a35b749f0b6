// SPDX-License-Identifier: Apache-2.0
// reason: unbound_variable
// row: a wrong call of `make_callable_pair`
// errors: 4
// expect: unbound_variable<h>
// expect: unknown_variable<z>
// expect: argument_is_written<y>
// expect: not_a_binding<int>
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct z : buffer<z, float> {} z;
inline constexpr struct h : buffer<h, float> {} h;
constexpr auto there = copy(in(x), out(h));
constexpr auto back = copy(in(h), out(y));

void run(float* memory, float* more) {
    make_callable_pair(there, arguments(in(x)), back, arguments(out(y)), {}, x(memory, 8), y(more, 8));                            // here
    make_callable_pair(there, arguments(in(x)), back, arguments(out(y)), {}, x(memory, 8), y(more, 8), kept(h, 8), z(memory, 8));  // here
    make_callable_pair(there, arguments(in(x)), back, arguments(in(y)), {}, x(memory, 8), y(more, 8), kept(h, 8));                 // here
    make_callable_pair(there, arguments(in(x)), back, arguments(out(y)), {}, x(memory, 8), y(more, 8), kept(h, 8), 8);             // here
}
