// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tiles/tile_shape.hpp>

namespace cograph::core {

// Large tiles: their sides, and where the rows of their threads are.

// As many rows a thread as the tile needs.
COGRAPH_HD constexpr tile_shape shape_of_large_tiles(int rows, int columns, int blocks, tile_kind kind) {
    const int width = widest_tile(kind), across = quotient_up(columns, width);
    if (across == 0 || across > blocks) return {};
    const int own_rows = quotient_up(rows, blocks / across), threads = own_rows <= 256 / tile_lanes * (most_large_rows - 2) ? 256 : 512;
    const int least = rows_of_thread(large_tile_elements), needed = quotient_up(own_rows, threads / tile_lanes), rows_of_one = needed > least ? needed : least;
    const int height = threads / tile_lanes * rows_of_one;
    if (rows == 0 || rows_of_one > most_rows_of(kind)) return {};
    return {width, height, across, quotient_up(rows, height), threads, 1, 1, rows_of_one};
}

// The shared memory of the variables of large tiles, in bytes: of what is around rows of threads, and of a row of all threads. Each thread has the same rows of
// all variables there.
struct large_rows {
    int around = 0, of_row = 0;
    int near = 0;  // rows in which nodes read neighbours; so many rows at each edge of a warp's

    COGRAPH_HD constexpr void add(const tile_border& border, const tile_shape& tile, int columns, int size) {
        around += border.shared_bytes(2, tile, size);
        of_row += columns * most_tile_threads(large_tile_elements) * size;
        near = border.rows > near ? border.rows : near;
    }
    // Of the rows for which a thread has room, the first of those that rows in shared memory take in turn: one, and those below it that its nodes read.
    static constexpr int kernel_rows = rows_of_thread(large_tile_elements);
    COGRAPH_HD constexpr int first_passing() const { return kernel_rows - 2 * near - 1; }
    // A thread's rows beyond those at edges of warps and in registers; and those of them that are in shared memory, at least those that nodes read together.
    // `bytes` is what a block may have for its tile, or what it was launched with, which gives the same rows.
    COGRAPH_HD constexpr int beyond(const tile_shape& tile) const { return tile.rows_of_thread - near - first_passing(); }
    COGRAPH_HD constexpr int in_shared(const tile_shape& tile, int bytes) const {
        const int all = beyond(tile), room = (bytes - around) / of_row;
        return all < room ? all : room > near ? room : near;
    }
    COGRAPH_HD constexpr bool are_on_chip(const tile_shape& tile, int bytes) const { return in_shared(tile, bytes) == beyond(tile); }
    COGRAPH_HD constexpr int shared_bytes(const tile_shape& tile, int bytes) const { return around + in_shared(tile, bytes) * of_row; }
};

}  // namespace cograph::core
