// SPDX-License-Identifier: Apache-2.0
// reason: not_a_loop_option
// expect: not_a_loop_option<int
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct i : scalar<i, int> {} i;

// [wrong]
const auto wrong = loop_while(i < 3, assign(i, i + 1), 10);  // here
// [/wrong]
