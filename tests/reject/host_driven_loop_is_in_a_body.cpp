// SPDX-License-Identifier: Apache-2.0
// reason: host_driven_loop_is_in_a_body
// expect: host_driven_loop_is_in_a_body
// expect: let_the_host_drive_the_loop_around_it_too
#include "names.hpp"

#include <cograph/host_driven.hpp>

// [wrong]
const auto wrong = repeat(3, loop_while(s > tol, host_driven(assign(s, s / 2))));  // here
// [/wrong]
