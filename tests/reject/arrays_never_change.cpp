// SPDX-License-Identifier: Apache-2.0
// reason: predicate_never_changes
// row: a predicate over arrays that never changes
// expect: predicate_never_changes<x
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;

// [wrong]
const auto wrong = loop_while(max_abs(x) > 3, fill(out(y), 1));  // here
// [/wrong]
