// SPDX-License-Identifier: Apache-2.0
// reason: formula_has_no_elements
// expect: formula_has_no_elements
// expect: test_a_formula_over_buffers
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct s : scalar<s, float> {} s;

// [wrong]
const auto wrong = when(all(s > 3), fill(out(x), 1));  // here
// [/wrong]
