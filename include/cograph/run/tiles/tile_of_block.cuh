// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_stages.hpp>
#include <cograph/plan/tiles/large_shape.hpp>
#include <cograph/run/persistent/chunk_exchange.cuh>

namespace cograph::core {

extern __shared__ char tile_memory[];  // of the variables on chip

// The tile of this block and the elements of this thread, ElementsAThread of them. In one dimension they are as far apart as the block has threads. In two, a warp has
// whole rows, and a thread one, two or, in large tiles, four columns of a few of them. The block of an overlapping tile computes `shape.overlap` rows
// and columns around it as well. Its threads' elements begin there, and those outside of the box are treated as others at its edge.
template <int Rank, int ElementsAThread, tile_kind Kind = tile_kind::plain, bool InOrder = false>
struct tile_of_block {
    static constexpr bool in_order = InOrder;
    static constexpr int rank = Rank, elements_a_thread = ElementsAThread;
    static constexpr tile_kind kind = Kind;
    static constexpr bool overlaps = Kind == tile_kind::overlapping, is_large = core::is_large(Kind), keeps_part = is_in_part(Kind);
    static constexpr int own_rows = Rank == 1 ? 1 : rows_of_thread(ElementsAThread), own_columns = Rank == 1 ? ElementsAThread : columns_of_thread(ElementsAThread);
    // Blocks that compute the same element run the same instructions, which may round otherwise where a warp tests rows.
    static_assert(!overlaps || (2 * least_overlap % own_rows == 0 && least_overlap % own_columns == 0));
    const int rows, columns;  // of the box
    const tile_shape shape;
    const int number = static_cast<int>(blockIdx.x);
    const int first_row, first_column;  // of the tile
    const int height, width;            // the existing part of it
    int row, column;                    // of the thread's first element, in the tile
    int down;                           // this many of the thread's rows exist
    const int across;                   // and of its columns

    // Radius: the largest in which nodes read neighbours.
    __device__ tile_of_block(box_sides const& box, int radius)
        : rows(box.rows), columns(box.columns),
          shape(InOrder    ? shape_in_order(box.rows, box.columns, is_large ? box_order(box.rows, box.columns, true).elements : ElementsAThread)
                : overlaps ? shape_of_overlapping_tiles(box.rows, box.columns, static_cast<int>(gridDim.x), ElementsAThread, radius)
                : is_large ? shape_of_large_tiles(box.rows, box.columns, static_cast<int>(gridDim.x), Kind)
                           : shape_of_tiles(Rank, box.rows, box.columns, static_cast<int>(gridDim.x), ElementsAThread)),
          first_row(number / shape.across * shape.height), first_column(number % shape.across * shape.width), height(size(rows, first_row, shape.height)),
          width(size(columns, first_column, shape.width)), row(Rank == 1 ? 0 : warp() * rows_each()), column(Rank == 1 ? static_cast<int>(threadIdx.x) : lane() * own_columns),
          down(overlaps ? own_rows : size(height, row, rows_each())), across(Rank == 1 ? count() : overlaps ? own_columns : size(width, column, own_columns)) {}

    __device__ static int warp() { return static_cast<int>(threadIdx.x) / warp_lanes; }
    __device__ static int lane() { return static_cast<int>(threadIdx.x) % warp_lanes; }
    __device__ static int warps() { return static_cast<int>(blockDim.x) / warp_lanes; }

    // The compiler would keep their derived values for each element. Those of overlapping tiles are few: which neighbours exist.
    __device__ void find_again() {
        if constexpr (!overlaps) asm volatile("" : "+r"(row), "+r"(column));
    }

    __device__ int rows_each() const { return is_large ? shape.rows_of_thread : own_rows; }
    __device__ void step_down(int by) {
        row += by;
        down -= by;
    }
    // If the order of terms matters, a thread has two sums: of the upper half of its rows and of the lower one. In large tiles they are of
    // the left half of its columns and of the right one. This is the one to which an element belongs.
    COGRAPH_HD static constexpr int half_of(int e) { return is_large ? e % own_columns / (own_columns / 2) : e / (ElementsAThread / 2); }
    __device__ bool exists(int e) const { return e / own_columns < down && e % own_columns < across; }
    __device__ bool any() const { return down > 0 && across > 0 && height > 0; }
    // Whether it is the block's to write back.
    __device__ bool is_of_tile(int e) const {
        if constexpr (!overlaps) return exists(e);
        const int r = row + e / own_columns - shape.overlap, c = column + e % own_columns - shape.overlap;
        return r >= 0 && r < height && c >= 0 && c < width;
    }
    // The distance from the thread's first element to element e, in one dimension.
    __device__ static int distance(int e) { return e * static_cast<int>(blockDim.x); }
    // Clamps: elements outside of the box are at its edge.
    template <bool Clamps = overlaps>
    __device__ box_place<Rank> place(int e) const {
        if constexpr (Rank == 1) {
            const index_t j = first_column + column + distance(e);
            return {j, {j}, {columns}};
        } else if constexpr (overlaps) {
            const index_t i = within<true>(first_row + row + e / own_columns, rows) & small, j = within<true>(first_column + column + e % own_columns, columns) & small;
            return {i * columns + j, {i, j}, {rows & small, columns & small}};
        } else {
            const index_t i = within<Clamps>(first_row + row + e / own_columns, rows), j = within<Clamps>(first_column + column + e % own_columns, columns);
            return {i * columns + j, {i, j}, {rows, columns}};
        }
    }
    __device__ index_t number_of(int e) const { return place(e).number; }

    // Elements that are run together; of one dimension, more would need too many registers.
    static constexpr int some = Rank == 2 || ElementsAThread < 4 ? ElementsAThread : 4;
    // A bit for each such part of which all threads of the warp have all elements. In one dimension, all neighbours that are read exist, too. In two, if the block
    // computes elements around its tile, those in all rows do.
    __device__ unsigned inner_parts(tile_border const& radius) const {
        const int by_rows = radius.rows, by_columns = radius.columns;
        unsigned parts = 0;
        for (int part = 0; part < ElementsAThread / some; ++part) {
            bool inner = is_large ? down >= rows_each() && across >= own_columns : exists(part * some + some - 1);
            if constexpr (Rank == 1)
                inner = inner && first_column + column + distance(part * some) >= by_columns && first_column + column + distance(part * some + some - 1) + by_columns < columns;
            if constexpr (overlaps) inner = first_row + row - shape.overlap >= by_rows && first_row + row - shape.overlap + own_rows + by_rows <= rows;
            if (__all_sync(~0u, inner)) parts |= 1u << part;
        }
        return parts;
    }

    // The tile next to this one, this many down and across; -1: there is none.
    __device__ int next(int by_rows, int by_columns) const {
        const int i = number / shape.across + by_rows, j = number % shape.across + by_columns;
        return height <= 0 || i < 0 || i >= shape.down || j < 0 || j >= shape.across ? -1 : i * shape.across + j;
    }
    static constexpr int tiles_beside = 9;
    __device__ int beside(int which) const { return next(which / 3 - 1, which % 3 - 1); }
    __device__ static int size(int all, int first, int most) { return all - first < most ? (all > first ? all - first : 0) : most; }

private:
    static constexpr int small = (1 << 30) - 1;  // so that the compiler sees that comparisons of places need 32 bits
    template <bool Clamps>
    __device__ int within(int at, int side) const {
        if constexpr (!Clamps) return at;
        at -= shape.overlap;
        return at < 0 ? 0 : at < side ? at : side - 1;
    }
    __device__ int count() const {
        const int step = static_cast<int>(blockDim.x), left = width - column;
        return height <= 0 || left <= 0 ? 0 : quotient_up(left, step) < ElementsAThread ? quotient_up(left, step) : ElementsAThread;
    }
};

}  // namespace cograph::core
