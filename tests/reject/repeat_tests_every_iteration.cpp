// SPDX-License-Identifier: Apache-2.0
// reason: repeat_tests_every_iteration
// expect: repeat_tests_every_iteration
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct i : scalar<i, int> {} i;

// [wrong]
const auto wrong = repeat(3, assign(i, i + 1), check_every<2>);  // here
// [/wrong]
