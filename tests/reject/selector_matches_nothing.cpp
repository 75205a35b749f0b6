// SPDX-License-Identifier: Apache-2.0
// reason: selector_matches_nothing
// expect: selector_matches_nothing<calls_t<twice>, among_nodes<2>>
// expect: name_a_node_of_the_expression
#include "names.hpp"

// [wrong]
const auto wrong = has_edge(seq(fill(out(x), 1), copy(in(x), out(y))), at<0>, calls<twice>);  // here
// [/wrong]
