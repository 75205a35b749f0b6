// SPDX-License-Identifier: Apache-2.0
// reason: cluster_is_too_large
// expect: cluster_is_too_large<8
// expect: give_at_most_16_blocks
#include <cograph.hpp>

using namespace cograph;

// [wrong]
const auto wrong = grid(64, 64).cluster<8, 4>();  // here
// [/wrong]
