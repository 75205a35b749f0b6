// SPDX-License-Identifier: Apache-2.0
// reason: loop_is_not_one_kernel
// expect: loop_is_not_one_kernel<counted_loop, is_opaque<kernel_function<saxpy>>>
// expect: change_the_named_node_or_accept_conditional_nodes
#include "names.hpp"

#include <cograph/join/persistent.hpp>

// [wrong]
constexpr auto wrong = require_persistent(repeat(3, kernel<saxpy>(over(x))(n, tol, x, y)));  // here
// [/wrong]
