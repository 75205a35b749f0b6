// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

namespace cograph::core {

// The tiles of a box that one kernel is for. Overlapping tiles: a block computes rows and columns of the tiles beside its own as well, so that it needs elements of
// other blocks in every few iterations only. Tall tiles: some of a thread's rows are in shared memory, and variables that a copy passes on are kept for a row at a
// time. Large tiles: of one such variable, a thread has more rows. In part: those for which shared memory has no room, too, are in the variable's own memory.
enum class tile_kind : unsigned char { plain, overlapping, tall, large, in_part };
COGRAPH_HD constexpr bool is_large(tile_kind kind) { return kind >= tile_kind::large; }

}  // namespace cograph::core
