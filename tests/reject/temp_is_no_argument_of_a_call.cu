// SPDX-License-Identifier: Apache-2.0
// reason: temp_is_no_argument_of_a_call
// expect: temp_is_no_argument_of_a_call<z>
// expect: make_it_a_buffer_or_leave_it_out_of_the_arguments
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct z : temp<z, float, struct x> {} z;

// [wrong]
const auto wrong = arguments(in(x), out(z));  // here
// [/wrong]
