// SPDX-License-Identifier: Apache-2.0
// reason: tests_need_an_iteration_between_them
// expect: tests_need_an_iteration_between_them<0
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct i : scalar<i, int> {} i;

// [wrong]
const auto wrong = loop_while(i < 3, assign(i, i + 1), check_every<0>);  // here
// [/wrong]
