// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

namespace cograph::core {

// Before a node of a persistent kernel.
// Block and neighbours: only if tiles of a box stay on chip; the second waits for the blocks whose tiles are next to
// a block's own.
// Of_phase: of the block, if the first block alone runs all nodes since the last barrier of the grid, and the next one; else of the grid.
// Behind_phase: none, unless one since then was of the block and other blocks run the node, too; then of the grid.
enum class barrier : unsigned char { none, block, neighbours, grid, of_phase, behind_phase };

// Whether all blocks meet there, as far as the plan knows.
constexpr bool is_of_grid(barrier b) { return b == barrier::grid || b == barrier::of_phase; }

// A phase: nodes over few elements follow one another. The first block has all of them, and only its threads wait in between. The other blocks wait at
// the next barrier of the grid. Every thread finds where that is: from the number of elements of each node.
struct phase_state {
    bool ran_in_others = false;  // since the last barrier of the grid, a node
    bool met_in_block = false;

    // Enters a node; true if its barrier is of the grid.
    COGRAPH_HD constexpr bool meets_grid(barrier before, bool in_first_block) {
        const bool of_grid = before == barrier::grid || (before == barrier::of_phase ? ran_in_others || !in_first_block : met_in_block && !in_first_block);
        if (of_grid)
            *this = {};
        else if (before == barrier::of_phase)
            met_in_block = true;
        ran_in_others = ran_in_others || !in_first_block;
        return of_grid;
    }
};

}  // namespace cograph::core
