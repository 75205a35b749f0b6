// SPDX-License-Identifier: Apache-2.0
// reason: limit_is_not_an_integer
// expect: limit_is_not_an_integer<tol
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct tol : value<tol, double> {} tol;

// [wrong]
const auto wrong = loop_while(i < 3, assign(i, i + 1), at_most(tol));  // here
// [/wrong]
