// SPDX-License-Identifier: Apache-2.0
// reason: limit_is_negative
// expect: limit_is_negative<-1
// expect: allow_at_least_zero_iterations
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct i : scalar<i, int> {} i;

// [wrong]
const auto wrong = loop_while(i < 3, assign(i, i + 1), at_most<-1>());  // here
// [/wrong]
