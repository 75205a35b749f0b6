// SPDX-License-Identifier: Apache-2.0
// reason: selector_names_no_loop
// expect: selector_names_no_loop
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct i : scalar<i, int> {} i;

// [wrong]
const auto iterations = loop_report<decltype(repeat(3, assign(i, i + 1)))>{}.iterations(at<1>);  // here
// [/wrong]
