// SPDX-License-Identifier: Apache-2.0
// reason: wait_lets_reads_pass
// expect: wait_lets_reads_pass<x>
// expect: mark_it_out
#include "names.hpp"

inline constexpr struct done : value<done, CUevent_st*> {} done;

// [wrong]
const auto wrong = seq(wait(done)(in(x)), reduce(out(s), in(x)));  // here
// [/wrong]
