// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/near_views.cuh>

namespace cograph::core {

// A thread's part of a variable of two dimensions whose neighbours are read, elements T. Others of its warp give it those beside them. Rows at the
// edges of a warp's are in shared memory, in two copies used in turn; elements around the tile, too, unless the block computes those.
template <class T, class Kept, class Tile>
struct held_rows {
    using element = T;
    static constexpr tile_border radius = Kept::radius;
    static constexpr int by_rows = radius.rows, by_columns = radius.columns, own_rows = Tile::own_rows, own_columns = Tile::own_columns;
    static constexpr int all_columns = tile_lanes * own_columns;
    static_assert(by_rows <= own_rows);

    copy_of_element<T> own[Tile::elements_a_thread];
    copy_of_element<T> held[own_rows + 2 * by_rows][own_columns + 2 * by_columns];  // own ones and those around them, while nodes run
    T* memory;
    bool changed;
    int edges, sides;  // offsets of the thread's, of rows at edges and of elements at the sides, in bytes
    int copy;          // the offset of the one that is in use

    COGRAPH_HD static constexpr tile_border reach() { return {by_rows, by_columns, 0}; }
    // The place of a column in a row at an edge, and of a column as seen from the thread's first. In large and in overlapping tiles the threads' first columns lie
    // side by side, then the second ones: no two threads of a warp use the same bank of memory.
    static constexpr bool first_columns_first = Tile::is_large || Tile::overlaps;
    COGRAPH_HD static constexpr int place_in_row(int column) { return first_columns_first ? column % own_columns * tile_lanes + column / own_columns : column; }
    COGRAPH_HD static constexpr int at_column(int c) { return first_columns_first ? place_in_row(c + own_columns) - 1 : c; }
    __device__ static T* at_byte(int byte) { return reinterpret_cast<T*>(tile_memory + byte); }
    __device__ void find_again() { asm volatile("" : "+r"(edges), "+r"(sides)); }
    __device__ void begin(Tile const&) {}
    // To another variable, which has the same elements.
    __device__ void write_back_to(Tile const& tile, T* to) const {
#pragma unroll
        for (int e = 0; e < Tile::elements_a_thread; ++e)
            if (tile.is_of_tile(e)) own[e].write_back(to[tile.number_of(e)]);
    }
    __device__ void write_back(Tile const& tile) const {
        if (Kept::written && changed) write_back_to(tile, memory);
    }

    // Holds those elements that row R needs and rows before it did not. Called by all threads of a warp.
    template <int R>
    __device__ void hold() {
        if constexpr (R == 0) hold_rows<-by_rows>(std::make_integer_sequence<int, 2 * by_rows>{});
        hold_row<R + by_rows>();
    }
    // All: the thread's other elements exist, and if the block computes elements around its tile, all rows that are read.
    template <bool All, int E, int Rows, int Columns>
    __device__ auto near() const {
        constexpr int row = E / own_columns, column = E % own_columns;
        constexpr bool exist = All && !Tile::overlaps, rows_inner = (All && Tile::overlaps) || (exist && row >= Rows && row < own_rows - Rows);
        return near_in_registers<T, rows_inner, exist && column >= Columns, exist && column < own_columns - Columns, Rows, Columns>(held, row + by_rows, column + by_columns);
    }
    template <int E>
    __device__ pointer_to_copy<T> element_to_write() {
        return {&own[E].value};
    }
    template <int E>
    __device__ pointer_to_copy<const T> element_to_read(Tile const&) const {
        return {&own[E].value};
    }

protected:
    __device__ static copy_of_element<T> copy_of(T const& element) {
        copy_of_element<T> made;
        made.fill(element);
        return made;
    }
    // Rows at the edges of the warp's: for each of the places between two warps, those above it and those below it.
    __device__ void give_edges() const {
        T* const to = at_byte(edges + copy);
#pragma unroll
        for (int i = 0; i < by_rows; ++i)
#pragma unroll
            for (int c = 0; c < own_columns; ++c) {
                own[i * own_columns + c].write_back(to[(by_rows + i) * all_columns + at_column(c)]);
                own[(own_rows - by_rows + i) * own_columns + c].write_back(to[(2 * by_rows + i) * all_columns + at_column(c)]);
            }
    }

    template <int First, int... I>
    __device__ void hold_rows(std::integer_sequence<int, I...>) {
        (hold_row<First + I>(), ...);
    }
    // Row R, counted from the thread's first.
    template <int R>
    __device__ void hold_row() {
        constexpr bool is_own = R >= 0 && R < own_rows;
        const T* const beyond = at_byte(edges + copy) + (R < 0 ? by_rows + R : 3 * by_rows + R - own_rows) * all_columns;
        auto& row = held[R + by_rows];
#pragma unroll
        for (int c = 0; c < own_columns; ++c) {
            if constexpr (is_own)
                row[by_columns + c].fill(own[R * own_columns + c].value);
            else
                row[by_columns + c].fill(beyond[at_column(c)]);
        }
#pragma unroll
        for (int j = 1; j <= by_columns; ++j) {
            // The j-th to the left, and to the right of the last. At the sides of the tile from there, in one read for both.
            const int lane = Tile::lane(), lanes = (j + own_columns - 1) / own_columns;
            const bool first = lane < lanes, last = lane >= tile_lanes - lanes;
            const int left = by_columns + lane * own_columns - j, right = by_columns + (lane - tile_lanes) * own_columns + own_columns - 1 + j;
            copy_of_element<T> at_side;  // if the block computes elements around its tile, the outermost ones are any
            if constexpr (!Tile::overlaps && !(Tile::is_large && is_own))
                at_side.fill(at_byte(sides + copy)[R * 2 * by_columns + (first ? left : last ? right : 0)]);
            else
                at_side.fill(row[by_columns].value);
            copy_of_element<T>& to_left = row[by_columns - j];
            copy_of_element<T>& to_right = row[by_columns + own_columns - 1 + j];
            if constexpr (is_own) {
                const T a = shuffle_words(own[R * own_columns + lanes * own_columns - j].value, [&](unsigned word) { return __shfl_up_sync(~0u, word, lanes); });
                const T b = shuffle_words(own[R * own_columns + own_columns - 1 + j - lanes * own_columns].value, [&](unsigned word) { return __shfl_down_sync(~0u, word, lanes); });
                if constexpr (Tile::is_large) {  // reads by one thread take less time than selections by all, which threads with fewer rows mix better
                    const T* const side = at_byte(sides + copy) + R * 2 * by_columns;
                    to_left.fill(a);
                    to_right.fill(b);
                    if (first) to_left.fill(side[by_columns - j]);
                    if (last) to_right.fill(side[by_columns - 1 + j]);
                } else {
                    to_left.fill(!Tile::overlaps && first ? at_side.value : a);
                    to_right.fill(!Tile::overlaps && last ? at_side.value : b);
                }
            } else {
                to_left.fill(first ? at_side.value : beyond[at_column(-j)]);
                to_right.fill(last ? at_side.value : beyond[at_column(own_columns - 1 + j)]);
            }
        }
    }
};

}  // namespace cograph::core
