// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_stages.hpp>
#include <cograph/plan/persistent/tile_shape.hpp>
#include <cograph/run/persistent/chunk_exchange.cuh>

namespace cograph::core {

// The tile of this block and the elements of this thread: Few of them, below one another, or in one dimension as far apart as the block
// has threads.
template <int Rank, int Few>
struct tile_of_block {
    static constexpr int rank = Rank, few = Few;
    const int rows, columns;  // of the box
    const tile_shape shape;
    const int number = static_cast<int>(blockIdx.x);
    const int first_row, first_column;  // of the tile
    const int height, width;            // the existing part of it
    int row, column;                    // of the thread's first element, in the tile
    const int mine;                     // this many are the thread's

    __device__ tile_of_block(int rows_, int columns_)
        : rows(rows_), columns(columns_), shape(shape_of_tiles(Rank, rows_, columns_, static_cast<int>(gridDim.x), Few)),
          first_row(number / shape.across * shape.height), first_column(number % shape.across * shape.width), height(size(rows, first_row, shape.height)),
          width(size(columns, first_column, shape.width)), row(Rank == 1 ? 0 : static_cast<int>(threadIdx.x) / shape.width * Few),
          column(Rank == 1 ? static_cast<int>(threadIdx.x) : static_cast<int>(threadIdx.x) % shape.width), mine(count()) {}

    // The compiler would keep their derived values for each element.
    __device__ void find_again() { asm volatile("" : "+r"(row), "+r"(column)); }

    // Element r of the thread's is so far from its first.
    __device__ static int down(int r) { return Rank == 1 ? 0 : r; }
    __device__ static int across(int r) { return Rank == 1 ? r * static_cast<int>(blockDim.x) : 0; }
    __device__ box_place<Rank> place(int r) const {
        const index_t i = first_row + row + down(r), j = first_column + column + across(r);
        if constexpr (Rank == 1)
            return {j, {j}, {columns}};
        else
            return {i * columns + j, {i, j}, {rows, columns}};
    }
    __device__ index_t number_of(int r) const { return place(r).number; }

    // Of the thread's elements, Some at a time: a bit for each part of which all threads of the warp have all, with all neighbours so far away.
    template <int Some>
    __device__ unsigned inner_parts(int by_rows, int by_columns) const {
        unsigned parts = 0;
        for (int part = 0; part < Few / Some; ++part) {
            const int r = part * Some, last = r + Some - 1;
            const int i = first_row + row, j = first_column + column;
            const bool inner = last < mine && i + down(r) >= by_rows && i + down(last) + by_rows < rows && j + across(r) >= by_columns && j + across(last) + by_columns < columns;
            if (__all_sync(~0u, inner)) parts |= 1u << part;
        }
        return parts;
    }

    // The tile next to this one, this many down and across; -1: there is none.
    __device__ int next(int by_rows, int by_columns) const {
        const int i = number / shape.across + by_rows, j = number % shape.across + by_columns;
        return height <= 0 || i < 0 || i >= shape.down || j < 0 || j >= shape.across ? -1 : i * shape.across + j;
    }
    __device__ static int size(int all, int first, int most) { return all - first < most ? (all > first ? all - first : 0) : most; }

private:
    __device__ int count() const {
        if (Rank == 1) {
            const int step = static_cast<int>(blockDim.x), left = width - column;
            return height <= 0 || left <= 0 ? 0 : quotient_up(left, step) < Few ? quotient_up(left, step) : Few;
        }
        const int left = height - row;
        return column >= width || left <= 0 ? 0 : left < Few ? left : Few;
    }
};

}  // namespace cograph::core
