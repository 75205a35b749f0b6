// SPDX-License-Identifier: Apache-2.0
// reason: not_an_array
// expect: not_an_array<tol
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct tol : value<tol, float> {} tol;
struct positive {
    bool operator()(float element) const { return element > 0; }
};

// [wrong]
const auto wrong = when(all_of(tol, positive{}), fill(out(x), 1));  // here
// [/wrong]
