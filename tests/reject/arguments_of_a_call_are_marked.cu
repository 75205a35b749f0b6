// SPDX-License-Identifier: Apache-2.0
// reason: arguments_of_a_call_are_marked
// expect: arguments_of_a_call_are_marked<cograph::core::in_t<x>, y>
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;

// [wrong]
const auto wrong = arguments(in(x), y);  // here
// [/wrong]
