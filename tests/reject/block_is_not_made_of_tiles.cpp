// SPDX-License-Identifier: Apache-2.0
// reason: block_is_not_made_of_tiles
// expect: block_is_not_made_of_tiles<100
// expect: give_256_or_512_or_768_or_1024_threads
#include <cograph.hpp>
#include <cograph/launch_shape.hpp>

using namespace cograph;
inline constexpr struct i : scalar<i, int> {} i;

// [wrong]
const auto wrong = loop_while(i < 3, assign(i, i + 1), block_of<100>);  // here
// [/wrong]
