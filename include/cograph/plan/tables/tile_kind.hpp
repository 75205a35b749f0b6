// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

namespace cograph::core {

// The tiles of a box that one kernel is for. Overlapping tiles: a block computes rows and columns of the tiles beside its own as well, so that it needs elements of
// other blocks in every few iterations only. Large tiles: of one variable, a thread has more rows than registers; the others are in shared memory. In part: those
// for which shared memory has no room, too, are in the variable's own memory. Tall tiles: the same with half as many columns, for several variables.
enum class tile_kind : unsigned char { plain, overlapping, large, in_part, tall };
COGRAPH_HD constexpr bool is_large(tile_kind kind) { return kind >= tile_kind::large; }
COGRAPH_HD constexpr bool is_in_part(tile_kind kind) { return kind >= tile_kind::in_part; }

}  // namespace cograph::core
