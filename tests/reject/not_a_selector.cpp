// SPDX-License-Identifier: Apache-2.0
// reason: not_a_selector
// expect: not_a_selector<int>
// expect: name_nodes_by_at_calls_or_kernel
#include "names.hpp"

// [wrong]
const auto wrong = has_edge(seq(fill(out(x), 1), copy(in(x), out(y))), 0, 1);  // here
// [/wrong]
