// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/tile_of_block.cuh>

namespace cograph::core {

// Of three dimensions: a thread has an element of each plane of the tile, one behind another, and a warp a row of each plane.
template <int ElementsAThread>
struct tile_of_block<3, ElementsAThread> {
    static constexpr bool in_order = false;  // of the terms of reductions
    COGRAPH_HD static constexpr int half_of(int) { return 0; }
    static constexpr int rank = 3, elements_a_thread = ElementsAThread;
    static constexpr tile_kind kind = tile_kind::plain;
    static constexpr bool overlaps = false, is_large = false, keeps_part = false;
    const int planes, rows, columns;  // of the box
    const tile_shape shape;
    const int number = static_cast<int>(blockIdx.x);
    int first_plane, first_row, first_column;  // of the tile
    int row, column;                           // of the thread's elements, in the tile
    int height;                                // the planes of the tile that exist
    int own;                                   // this many of the thread's elements exist

    __device__ tile_of_block(box_sides const& box, int)
        : planes(box.planes), rows(box.rows), columns(box.columns), shape(shape_of_tiles_in_space(box, static_cast<int>(gridDim.x), ElementsAThread)),
          first_plane(number / (shape.across * shape.down) * shape.planes), first_row(number / shape.across % shape.down * space_height),
          first_column(number % shape.across * space_width), row(warp()), column(lane()), height(size(planes, first_plane, shape.planes)),
          own(first_row + row < rows && first_column + column < columns ? height : 0) {}

    __device__ static int warp() { return static_cast<int>(threadIdx.x) / warp_lanes; }
    __device__ static int lane() { return static_cast<int>(threadIdx.x) % warp_lanes; }
    __device__ static int warps() { return space_height; }
    // Otherwise the compiler keeps from iteration to iteration what follows from these for each plane, in registers that others need.
    __device__ void find_again() { asm volatile("" : "+r"(row), "+r"(column), "+r"(first_plane), "+r"(first_row), "+r"(first_column), "+r"(height), "+r"(own)); }

    __device__ bool exists(int e) const { return e < own; }
    __device__ bool any() const { return own > 0; }
    __device__ bool is_of_tile(int e) const { return exists(e); }
    __device__ box_place<3> place(int e) const {
        const index_t p = first_plane + e, i = first_row + row, j = first_column + column;
        return {(p * rows + i) * columns + j, {p, i, j}, {planes, rows, columns}};
    }
    __device__ index_t number_of(int e) const { return place(e).number; }

    static constexpr int some = planes_together;
    // A bit for each part of which all threads of the warp have all elements, with neighbours in all planes and rows that are read.
    __device__ unsigned inner_parts(tile_border const& radius) const {
        unsigned parts = 0;
        const bool has_rows = first_row + row >= radius.rows && first_row + row + radius.rows < rows;
        for (int part = 0; part < ElementsAThread / some; ++part) {
            const int first = first_plane + part * some, last = first + some - 1;
            if (__all_sync(~0u, exists(part * some + some - 1) && has_rows && first >= radius.planes && last + radius.planes < planes)) parts |= 1u << part;
        }
        return parts;
    }
    __device__ bool has_part(int part) const { return part * some < height; }

    // The tile next to this one, this many behind, down and across; -1: there is none.
    __device__ int next(int by_planes, int by_rows, int by_columns) const {
        const int p = number / (shape.across * shape.down) + by_planes, i = number / shape.across % shape.down + by_rows, j = number % shape.across + by_columns;
        const bool there = height > 0 && p >= 0 && p < shape.behind && i >= 0 && i < shape.down && j >= 0 && j < shape.across;
        return there ? (p * shape.down + i) * shape.across + j : -1;
    }
    static constexpr int tiles_beside = 27;
    __device__ int beside(int which) const { return next(which / 9 - 1, which / 3 % 3 - 1, which % 3 - 1); }
    __device__ static int size(int all, int first, int most) { return all - first < most ? (all > first ? all - first : 0) : most; }
};

}  // namespace cograph::core
