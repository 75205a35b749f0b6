// SPDX-License-Identifier: Apache-2.0
// reason: function_cannot_be_called
// row: a test of elements that takes something else
// expect: function_cannot_be_called<positive
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
struct positive {
    bool operator()(const float* all, long at) const { return all[at] > 0; }
};

// [wrong]
const auto wrong = when(any_of(x, positive{}), fill(out(x), 1));  // here
// [/wrong]
