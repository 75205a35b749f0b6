// SPDX-License-Identifier: Apache-2.0
// reason: grid_has_no_blocks
// expect: grid_has_no_blocks<0
// expect: give_at_least_one_block_or_whole_device
#include <cograph.hpp>
#include <cograph/launch_shape.hpp>

using namespace cograph;
inline constexpr struct i : scalar<i, int> {} i;

// [wrong]
const auto wrong = loop_while(i < 3, assign(i, i + 1), grid_of<0>);  // here
// [/wrong]
