// SPDX-License-Identifier: Apache-2.0
// reason: record_writes_nothing
// expect: record_writes_nothing<y>
// expect: mark_it_in_or_inout_after_nodes_that_read_it_too
#include "names.hpp"

inline constexpr struct done : value<done, CUevent_st*> {} done;

// [wrong]
const auto wrong = seq(record(done)(out(y)), reduce(out(s), in(y)));  // here
// [/wrong]
