// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_order.hpp>
#include <cograph/plan/tables/tile_kind.hpp>

namespace cograph::core {

// How a persistent kernel deals a box to its blocks: a tile each. In two dimensions, a warp has a few whole rows of the tile, and a thread a few
// columns of these rows. In one dimension, a thread's elements are as far apart as there are threads. In three, a warp has a row of each plane of the tile, and a
// thread an element of each.
constexpr int most_tile_blocks = 128;
constexpr int tile_lanes = 32;
constexpr int most_near_on_chip = 2;  // planes, rows or columns that a variable of two or three dimensions may be read away from an element

// Elements a thread, by two kernels: the least, or as many as registers hold, given the bytes of each element.
COGRAPH_HD constexpr int least_tile_elements(int rank) { return rank == 1 ? 2 : 4; }
COGRAPH_HD constexpr int most_tile_elements(int rank, unsigned bytes) {
    const int most = rank == 1 || bytes <= 16 ? 16 : bytes <= 24 ? 8 : 4;
    return rank == 3 ? 2 * most : most;
}
constexpr int most_with_spare_registers = 4;  // threads with more elements have no registers to spare
// In large tiles, of two dimensions, a thread has nine rows or more. The first and the last are those at the edges of warps, in shared memory. Some
// are in registers, the others in shared memory. The kernel has room for nine rows; all but the last of those in shared memory have the same place in turn.
// Of tiles that are kept in part, rows for which shared memory has no room are in the variable's memory.
constexpr int large_tile_elements = 36, tall_tile_elements = large_tile_elements / 2, most_large_rows = 16, most_rows_in_part = 64;
constexpr unsigned most_large_bytes = 8;  // of an element
constexpr int most_own_shared_bytes_beside_large = 7000;  // of the shared memory of a block, for what a kernel of large tiles has beside them
COGRAPH_HD constexpr int columns_of_thread(int elements_a_thread) { return elements_a_thread <= 4 ? 1 : elements_a_thread < large_tile_elements ? 2 : 4; }
COGRAPH_HD constexpr int rows_of_thread(int elements_a_thread) { return elements_a_thread / columns_of_thread(elements_a_thread); }
// The threads of a block. Threads with more than two elements may have 128 registers.
COGRAPH_HD constexpr int most_tile_threads(int elements_a_thread) { return elements_a_thread == 2 ? 1024 : 512; }
// The elements and rows of a thread with many, and the sides of its tile in two dimensions.
COGRAPH_HD constexpr int most_elements_of(tile_kind kind) {
    return kind == tile_kind::tall ? tall_tile_elements : is_large(kind) ? large_tile_elements : most_tile_elements(2, 0);
}
COGRAPH_HD constexpr int most_rows_of(tile_kind kind) { return is_in_part(kind) ? most_rows_in_part : is_large(kind) ? most_large_rows : rows_of_thread(most_elements_of(kind)); }
COGRAPH_HD constexpr int widest_tile(tile_kind kind) { return tile_lanes * columns_of_thread(most_elements_of(kind)); }
COGRAPH_HD constexpr int highest_tile(tile_kind kind) { return most_tile_threads(most_elements_of(kind)) / tile_lanes * most_rows_of(kind); }
constexpr int most_tile_width = widest_tile(tile_kind::plain), most_tile_height = highest_tile(tile_kind::plain);
// Of three dimensions.
constexpr int space_threads = 512, space_width = tile_lanes, space_height = space_threads / tile_lanes, most_planes_of_tile = most_tile_elements(3, 0);
constexpr int planes_together = 4;  // whose neighbours a thread reads before it runs nodes; shared memory has room for all of them

// The rows and columns around a tile that a block computes as well. With a radius of 1, it needs elements of other blocks after as many iterations.
constexpr int least_overlap = 2, most_overlap = 8;
constexpr int most_overlapping_elements = 8;  // of a thread, those around the tile counted

// Of blocks, beside the borders of variables: in one dimension a number each, in two the words that they join, in turns.
constexpr int word_copies = 8, word_turns = 4;
constexpr unsigned tile_flag_bytes = word_turns * word_copies * 16 * most_tile_blocks;
static_assert(tile_flag_bytes >= 64 * most_tile_blocks);

struct tile_shape {
    int width = 0, height = 0;   // of a tile, in elements
    int across = 0, down = 0;    // this many tiles
    int threads = 0;             // of a block; 0: the box does not fit
    int planes = 1, behind = 1;  // the planes of a tile, and this many tiles one behind another
    int rows_of_thread = 1;      // of two dimensions
    int overlap = 0;             // rows and columns around a tile that its block computes, too

    COGRAPH_HD constexpr int tiles() const { return across * down * behind; }
};

// Of one dimension the planes and rows are one, of two the planes.
struct box_sides {
    int planes, rows, columns;
};

COGRAPH_HD constexpr int quotient_up(int a, int b) { return (a + b - 1) / b; }

// The tiles of a box of rows and columns (one row if it has one dimension), for a number of blocks and for threads of
// `elements_a_thread` elements. In two dimensions, elements that a tile computes for other tiles do not count. For as many blocks as there are tiles the result is the same.
COGRAPH_HD constexpr tile_shape shape_of_tiles(int rank, int rows, int columns, int blocks, int elements_a_thread, int overlap = 0) {
    if (rank == 1) {
        const int width = quotient_up(columns, blocks), threads = quotient_up(quotient_up(width, elements_a_thread), 256) * 256;
        if (threads > most_tile_threads(elements_a_thread)) return {};
        return {width > 0 ? width : 1, 1, width > 0 ? quotient_up(columns, width) : 1, 1, threads};
    }
    const int width = tile_lanes * columns_of_thread(elements_a_thread) - 2 * overlap, across = quotient_up(columns, width);
    if (across == 0 || across > blocks) return {};
    const int own_rows = quotient_up(rows, blocks / across), rows_of_256 = 256 / tile_lanes;
    const int rows_of_one = rows_of_thread(elements_a_thread), warps = quotient_up(own_rows + 2 * overlap, rows_of_one);
    const int threads = overlap > 0 && warps > rows_of_256 ? warps * tile_lanes : quotient_up(warps, rows_of_256) * 256;
    const int height = threads / tile_lanes * rows_of_one - 2 * overlap;
    if (rows == 0 || threads > most_tile_threads(elements_a_thread)) return {};
    return {width, height, across, quotient_up(rows, height), threads, 1, 1, rows_of_one, overlap};
}

// Nanoseconds of a step in which a thread computes `elements_a_thread` elements, those around tiles counted. The more threads a block has, the longer they take, and each
// of a thread's elements may come from another block, once in `steps` steps. The three prices were measured on an H100 (bench/RESULTS.md). Jacobi's method
// takes 550 with 4 elements, 256 threads and an overlap of 8, for which they give 530; and 1 060 with 8, 512 and 4, for which they give 1 040.
COGRAPH_HD constexpr int nanoseconds_of_step(int elements_a_thread, int threads, int steps) {
    constexpr int of_step = 360, of_element = 50, of_exchange = 140;
    return of_step + of_element * elements_a_thread * quotient_up(threads, 256) / 2 + of_exchange * elements_a_thread / steps;  // of blocks of 256 or 512
}
// How many steps blocks take before they need elements of others again: each step leaves fewer elements around the tile right.
COGRAPH_HD constexpr int steps_of_overlap(int overlap, int radius) { return radius > 1 ? overlap / radius : overlap; }
// The tiles whose blocks compute elements around them: of the overlaps 8, 4 and 2 that fit, the cheapest for the largest radius. With few elements a thread, boxes
// that need one of 2 are left to threads with more. For as many blocks as there are tiles the result is the same.
COGRAPH_HD constexpr tile_shape shape_of_overlapping_tiles(int rows, int columns, int blocks, int elements_a_thread, int radius = 1) {
    tile_shape found;
    int least = 0;
    for (int overlap = most_overlap; overlap >= (elements_a_thread == most_overlapping_elements ? least_overlap : 2 * least_overlap); overlap /= 2) {
        const tile_shape tile = shape_of_tiles(2, rows, columns, blocks, elements_a_thread, overlap);
        if (tile.threads == 0 || tile.height < 2 * overlap || tile.width < 2 * overlap) continue;
        const int price = nanoseconds_of_step(elements_a_thread, tile.threads, steps_of_overlap(overlap, radius));
        if (found.threads == 0 || price < least) found = tile, least = price;
    }
    return found;
}

// The same of three dimensions: as few planes a tile as there are blocks for, but not fewer than `least`.
COGRAPH_HD constexpr tile_shape shape_of_tiles_in_space(const box_sides& box, int blocks, int elements_a_thread, int least = 1) {
    const int across = quotient_up(box.columns, space_width), down = quotient_up(box.rows, space_height);
    if (box.planes == 0 || across == 0 || down == 0 || across > blocks || down > blocks / across) return {};
    const int fewest = quotient_up(box.planes, blocks / (across * down)), planes = fewest < least ? least : fewest;
    if (planes > elements_a_thread) return {};
    return {space_width, space_height, across, down, space_threads, planes, quotient_up(box.planes, planes)};
}

// The same if the order of reductions follows from the tiles.
COGRAPH_HD constexpr tile_shape shape_in_order(int rows, int columns, int elements_a_thread) {
    const int width = box_order::width_for(elements_a_thread), height = box_order::height_for(elements_a_thread);
    return {width, height, quotient_up(columns, width), quotient_up(rows, height), box_order::warps * tile_lanes, 1, 1, box_order::rows_of_lane(elements_a_thread)};
}
COGRAPH_HD constexpr int copies_in_order(int elements_a_thread) { return elements_a_thread == box_order::many ? 1 : 2; }
static_assert(box_order::patches == most_tile_blocks && box_order::columns_of_lane(box_order::many) == columns_of_thread(box_order::many) && box_order::columns_of_lane(box_order::few) == columns_of_thread(box_order::few));
static_assert(box_order::large_columns == columns_of_thread(large_tile_elements) && box_order::least_large_rows == rows_of_thread(large_tile_elements) && box_order::most_large_rows == most_rows_in_part);

// How far others read a tile's elements, in rows, columns and planes.
struct tile_border {
    int rows, columns, planes;

    // In one dimension, the number of an element that others read among those of its block; -1 for others.
    COGRAPH_HD constexpr int of(int column, int width) const {
        if (column < columns) return column;
        return width - column <= columns ? columns + column - (width - columns) : -1;
    }
    // The most elements of a block that other blocks read. In two dimensions: rows above and below, then the columns at both sides; some are both.
    // In three: planes, then rows and columns at both sides of each plane.
    COGRAPH_HD constexpr int most(int rank, tile_kind kind = tile_kind::plain) const {
        if (rank == 3) return of_row(most_planes_of_tile, 0, 0) + most_planes_of_tile * space_height * 2 * columns;
        return rank == 1 ? 2 * columns : 2 * (rows * widest_tile(kind) + columns * highest_tile(kind));
    }
    // In three, the numbers of elements of planes, rows and columns at the sides of a tile. Side: those at the first side, then those at the last.
    COGRAPH_HD static constexpr int of_plane(int side, int row, int column) { return (side * space_height + row) * space_width + column; }
    COGRAPH_HD constexpr int of_row(int plane, int side, int column) const { return of_plane(2 * planes, 0, 0) + (plane * 2 * rows + side) * space_width + column; }
    COGRAPH_HD constexpr int of_column(int plane, int row, int side) const { return of_row(most_planes_of_tile, 0, 0) + (side * most_planes_of_tile + plane) * space_height + row; }
    // The same of elements that a block computes for others: their number among those that others compute, too.
    COGRAPH_HD static constexpr int most_overlapping() { return 2 * most_overlap * (most_tile_width - 2 * most_overlap + most_tile_height / 2 - 4 * most_overlap); }
    COGRAPH_HD static constexpr int of_overlapping(const tile_shape& tile, int row, int column) {
        const int overlap = tile.overlap;
        if (row < overlap || row >= tile.height - overlap) return (row < overlap ? row : overlap + row - (tile.height - overlap)) * tile.width + column;
        if (column >= overlap && column < tile.width - overlap) return -1;
        return 2 * overlap * tile.width + (row - overlap) * 2 * overlap + (column < overlap ? column : overlap + column - (tile.width - overlap));
    }
    COGRAPH_HD constexpr int overlapping_shared_bytes(const tile_shape& tile, int size) const {
        return ((tile.threads / tile_lanes + 1) * 4 * rows * (tile.width + 2 * tile.overlap) * size + 15) / 16 * 16;
    }
    // Bytes of an element in memory that blocks exchange. In two dimensions, each word of it has a number beside it that marks its arrival; else blocks wait for
    // each other.
    COGRAPH_HD static constexpr int exchanged_bytes(int rank, int size) {
        const int words = quotient_up(size, 4);
        return rank != 2 ? size : words == 1 ? 8 : quotient_up(words, 2) * 16;
    }
    // Elements of a block's shared memory. In one dimension and in three: the tile and the elements around it. In two: the rows at the edges of each warp, and
    // the elements around the tile, twice, or once if there is little room.
    COGRAPH_HD constexpr int of_warps(const tile_shape& tile) const { return (tile.threads / tile_lanes + 1) * 2 * rows * tile.width; }
    COGRAPH_HD constexpr int at_sides(const tile_shape& tile) const { return (tile.height + 2 * rows) * 2 * columns; }
    COGRAPH_HD constexpr int shared_bytes(int rank, const tile_shape& tile, int size, int copies = 2) const {
        const int in_space = (quotient_up(tile.planes, planes_together) * planes_together + 2 * planes) * (tile.height + 2 * rows) * (tile.width + 2 * columns);
        return ((rank == 1 ? tile.width + 2 * columns : rank == 3 ? in_space : copies * (of_warps(tile) + at_sides(tile))) * size + 15) / 16 * 16;
    }
};

// Elements a thread in three dimensions, many of them: no more planes than the shared memory of a block has room for, on any GPU, with what a kernel has beside
// its tile. A kernel of more would take longer to compile, and longer to run with fewer.
constexpr int most_shared_bytes_of_tile = (227 - 47) * 1024;
COGRAPH_HD constexpr int most_planes_with_room(unsigned bytes, const tile_border* radius, const unsigned* size, int images) {
    int planes = most_tile_elements(3, bytes);
    const auto fits = [&](int behind) {
        int shared = 0;
        for (int k = 0; k < images; ++k) shared += radius[k].shared_bytes(3, {.width = space_width, .height = space_height, .planes = behind}, static_cast<int>(size[k]));
        return shared <= most_shared_bytes_of_tile;
    };
    while (planes > least_tile_elements(3) && !fits(planes / 2 + 1)) planes /= 2;
    return planes;
}

}  // namespace cograph::core
