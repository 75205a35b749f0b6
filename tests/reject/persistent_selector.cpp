// SPDX-License-Identifier: Apache-2.0
// reason: selector_matches_nothing
// expect: selector_matches_nothing
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;

constexpr auto filling = repeat(3, fill(out(x), 1));
// [wrong]
static_assert(is_persistent(filling, at<2>));  // here
// [/wrong]
