// SPDX-License-Identifier: Apache-2.0
// reason: event_is_in_a_body
// expect: event_is_in_a_body
// expect: put_it_before_or_after_the_loop_or_branch_or_include_cograph_host_driven
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct n : scalar<n, int> {} n;
inline constexpr struct done : value<done, CUevent_st*> {} done;

// [wrong]
const auto wrong = when(n > 0, seq(fill(out(x), 1), record(done)));  // here
// [/wrong]
