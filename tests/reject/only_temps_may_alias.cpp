// SPDX-License-Identifier: Apache-2.0
// reason: only_temps_may_alias
// expect: ask_about_two_temps
#include <cograph.hpp>
using namespace cograph;

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct work : temp<work, float, struct x> {} work;

constexpr auto e = seq(copy(in(x), out(work)), copy(in(work), out(x)));
// [wrong]
constexpr bool shared = may_alias(e, work, x);  // here
// [/wrong]
