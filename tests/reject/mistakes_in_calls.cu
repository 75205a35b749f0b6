// SPDX-License-Identifier: Apache-2.0
// reason: scalar_needs_a_pointer
// row: mistakes among the arguments of `update`, `make_callable`, `make_callable_pair`
// errors: 7
// expect: scalar_needs_a_pointer<s, float>
// expect: value_does_not_convert<v, is_of_type<float>, bound_to<char [2]>>
// expect: arguments_of_a_call_are_marked<in_t<x>, v>
// expect: count_is_missing<y, float *>
// expect: arguments_are_not_those_of<make_callable_call>
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct s : scalar<s, float> {} s;
inline constexpr struct v : value<v, float> {} v;
constexpr auto there = seq(copy(in(x), out(y)), fill(out(y), v), assign(s, v));
constexpr auto back = copy(in(y), out(x));

void run(float* p) {
    auto exec = instantiate(there, x(p, 4), y(p, 4), v(1.0f), s(p));
    exec.update(s(1.0f));                                                                            // here
    exec.update(x(p, 4), v("2"));                                                                    // here
    make_callable(there, arguments(in(x), v), {}, x(p, 4), y(p, 4), v(1.0f), s(p));                  // here
    make_callable(there, arguments(in(x)), {}, x(p, 4), y(p), v(1.0f), s(p));                        // here
    make_callable_pair(there, arguments(in(x)), back, arguments(out(x)), {}, x(p, 4), y(p), v(1.0f), s(p));  // here
    make_callable(there, in(x), {}, x(p, 4), y(p, 4), v(1.0f), s(p));                                // here
    make_callable(there, {}, x(p, 4), y(p, 4), v(1.0f), s(p));                                       // here
}
