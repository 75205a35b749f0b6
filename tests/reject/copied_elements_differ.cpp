// SPDX-License-Identifier: Apache-2.0
// reason: copied_elements_differ
// expect: copied_elements_differ<h, x>
// expect: give_both_variables_elements_of_one_type
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct h : host_buffer<h, double> {} h;

// [wrong]
const auto wrong = copy(in(h), out(x));  // here
// [/wrong]
