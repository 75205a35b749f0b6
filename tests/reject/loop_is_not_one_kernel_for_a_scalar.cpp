// SPDX-License-Identifier: Apache-2.0
// reason: loop_is_not_one_kernel
// row: loop_is_not_one_kernel for a large scalar
// expect: loop_is_not_one_kernel<counted_loop, uses_a_scalar_of_bytes<take_first, 512>, limit_is<256>>
// expect: change_the_named_node_or_accept_conditional_nodes
#include <cograph/join/persistent.hpp>

using namespace cograph;
struct quad {
    double of[64];
};
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct wide : scalar<wide, quad> {} wide;
struct take_first {
    COGRAPH_HD void operator()(double& to, const quad& from) const { to = from.of[0]; }
};

constexpr auto wrong = require_persistent(repeat(3, single_task(take_first{})(out(s), in(wide))));  // here
