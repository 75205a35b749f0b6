// SPDX-License-Identifier: Apache-2.0
// reason: formula_has_a_value_for_each_element
// expect: formula_has_a_value_for_each_element<x
// expect: test_all_any_or_none_of_the_elements
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;

// [wrong]
const auto wrong = loop_while(x > 3, fill(out(x), 1));  // here
// [/wrong]
