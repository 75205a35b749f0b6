// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

namespace cograph::core {

// How a persistent kernel deals a box to its blocks: a tile each, of which a thread has a few elements, below one another or, in one
// dimension, as far apart as there are threads.
constexpr int most_tile_blocks = 128;
constexpr int most_tile_width = 256;  // of two dimensions
constexpr int few_tile_elements = 2, most_tile_elements_a_thread = 16;
// Of a block. Those with more elements may have 128 registers.
COGRAPH_HD constexpr int most_tile_threads(int few) { return few == few_tile_elements ? 1024 : 512; }
constexpr int most_tile_height = most_tile_threads(most_tile_elements_a_thread) / 32 * most_tile_elements_a_thread;

constexpr unsigned tile_flag_bytes = 64 * most_tile_blocks;  // a number for each block, of the data that its neighbours may read

struct tile_shape {
    int width = 0, height = 0;  // of a tile, in elements
    int across = 0, down = 0;   // this many tiles
    int threads = 0;            // of a block, whole 256; 0: the box does not fit

    COGRAPH_HD constexpr int elements() const { return width * height; }
    // Around a tile of this many rows and columns.
    COGRAPH_HD constexpr int bytes(int rows, int columns, int size) const { return ((height + 2 * rows) * (width + 2 * columns) * size + 15) / 16 * 16; }
};

COGRAPH_HD constexpr int quotient_up(int a, int b) { return (a + b - 1) / b; }

COGRAPH_HD constexpr tile_shape tiles_of_width(int rows, int columns, int width, int blocks, int few) {
    const int across = quotient_up(columns, width), most_down = blocks / across;
    if (most_down == 0) return {};
    const int height = quotient_up(quotient_up(rows, most_down), few) * few;
    const int threads = quotient_up(width * (height / few), 256) * 256;
    if (threads > most_tile_threads(few)) return {};
    return {width, height, across, quotient_up(rows, height), threads};
}

// The tiles of a box of rows and columns (one row if it has one dimension), for a number of blocks and for threads of
// `few` elements. Those with the shortest border; columns cost more than rows, because memory delivers rows at once.
COGRAPH_HD constexpr tile_shape shape_of_tiles(int rank, int rows, int columns, int blocks, int few) {
    if (rank == 1) {
        const int width = quotient_up(columns, blocks), threads = quotient_up(quotient_up(width, few), 256) * 256;
        if (threads > most_tile_threads(few)) return {};
        return {width > 0 ? width : 1, 1, width > 0 ? quotient_up(columns, width) : 1, 1, threads};
    }
    tile_shape best{};
    int least = 0;
    for (int width = 32; width <= most_tile_width; width *= 2) {
        const tile_shape one = tiles_of_width(rows, columns, width, blocks, few);
        const int cost = one.elements() + 4 * (one.width + 2 * one.height);
        if (one.threads != 0 && (best.threads == 0 || cost < least)) {
            best = one;
            least = cost;
        }
    }
    return best;
}

// A tile's elements that other blocks read: rows above and below, then the rest of the columns at both sides. The
// number of such an element in the block's part of the memory for them; -1 for others.
struct tile_border {
    int rows, columns;  // how far others read

    COGRAPH_HD constexpr int of(const tile_shape& shape, int row, int column, int height, int width) const {
        if (row < rows) return row * shape.width + column;
        if (height - row <= rows) return (rows + row - (height - rows)) * shape.width + column;
        if (column < columns) return 2 * rows * shape.width + row * columns + column;
        if (width - column <= columns) return 2 * rows * shape.width + (shape.height + row) * columns + column - (width - columns);
        return -1;
    }
    // At most this many.
    COGRAPH_HD constexpr int most(int rank) const { return rank == 1 ? 2 * columns : 2 * (rows * most_tile_width + columns * most_tile_height); }
};

}  // namespace cograph::core
