// SPDX-License-Identifier: Apache-2.0
// reason: loop_body_is_empty
// expect: loop_body_is_empty<while_loop>
// expect: put_a_node_into_the_body
#include "names.hpp"

// [wrong]
const auto wrong = loop_while(s > tol, seq());  // here
// [/wrong]
