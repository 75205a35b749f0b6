// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/tile_image.cuh>

namespace cograph::core {

// Such a variable in a large tile. Of a thread's rows, the first and the last are those at the edges of a warp's, five are in registers, and the others
// in shared memory. Row `passing` stands for these but the last of them, one after another. The thread has a row that is not in registers there from
// `load` to `leave`.
template <class T, class Kept, class Tile>
struct large_image : tile_image<T, Kept, Tile> {
    using small = tile_image<T, Kept, Tile>;
    using small::own, small::held, small::memory, small::changed, small::edges, small::sides, small::copy, small::by_rows, small::by_columns, small::own_rows, small::own_columns, small::all_columns,
        small::at_byte, small::stale, small::number, small::bytes_of_copy, small::reach, small::borders, small::border_elements, small::width;
    static constexpr int passing = 1 + large_rows_in_registers, last = passing + 2;
    static_assert(by_rows <= 1 && by_columns <= own_columns && last == own_rows - 1);

    static constexpr int stride = most_tile_threads(Tile::few);

    int rows_at;                 // the offset of the thread's first element in shared memory, in bytes
    exchanged<T>* sent;          // what this block sends
    exchanged<T>* sent_at_side;  // and this thread of its first row, if its elements are at a side of the tile
    bool is_at_side;

    __device__ int shared_bytes(Tile const& tile) const { return reach().large_shared_bytes(tile.shape, sizeof(T)); }
    __device__ void place(Tile const& tile, int shared, char* of_borders) {
        small::place(tile, shared, of_borders);
        rows_at = shared + reach().shared_bytes(2, tile.shape, sizeof(T)) + static_cast<int>(threadIdx.x) * static_cast<int>(sizeof(T));
        sent = sent_at_side = borders;
        is_at_side = false;
    }
    __device__ void fill(Tile& tile) {
        if (!Kept::filled || tile.height <= 0) return;
        each_row(tile, [&]<int Row>(std::integral_constant<int, Row>) {
#pragma unroll
            for (int e = Row * own_columns; e < (Row + 1) * own_columns; ++e)
                if (tile.exists(e)) own[e].fill(memory[tile.number_of(e)]);
            store<Row>();
        });
        small::fill_around(tile);
    }
    // To another variable, which has the same elements.
    __device__ void write_back_to(Tile& tile, T* to) {
        each_row(tile, [&]<int Row>(std::integral_constant<int, Row>) {
            load<Row>();
#pragma unroll
            for (int e = Row * own_columns; e < (Row + 1) * own_columns; ++e)
                if (tile.exists(e)) own[e].write_back(to[tile.number_of(e)]);
        });
    }
    __device__ void write_back(Tile& tile) {
        if (Kept::written && changed) write_back_to(tile, memory);
    }
    __device__ void find_again() {
        small::find_again();
        asm volatile("" : "+r"(rows_at));
    }

    // Each row is sent as soon as it is known.
    __device__ void begin(Tile const& tile) {
        ++number;
        sent = borders + ((number & 1) * most_tile_blocks + tile.number) * border_elements;
        const bool left = Tile::lane() == 0;
        is_at_side = by_columns > 0 && (left ? tile.first_column > 0 : Tile::lane() == tile_lanes - 1 && tile.first_column + width < tile.columns);
        sent_at_side = sent + 2 * by_rows * width + (left ? tile.row : tile.shape.height + tile.row) * by_columns;
    }
    __device__ void end(Tile const&, int) {
        copy = (number & 1) * bytes_of_copy;
        changed = stale = true;
    }
    template <int Row>
    __device__ void hold() {
        if constexpr (Row == 0) load<0>();
        load<Row + by_rows>();
        small::template hold<Row>();
    }
    template <int Row>
    __device__ void load() {
#pragma unroll
        for (int c = 0; c < own_columns; ++c) {
            if constexpr (is_in_memory<Row>) own[Row * own_columns + c].fill(in_memory(Row, c));
            if constexpr (Row == 0 || Row == last) own[Row * own_columns + c].fill(at_byte(edges + copy)[at_edge<Row>() + c]);
        }
    }
    template <int Row>
    __device__ void leave(Tile const& tile) {
        store<Row>();
        if constexpr (Row == 0 || Row == last) {
            T* const to = at_byte(edges + (number & 1) * bytes_of_copy) + at_edge<Row>();
#pragma unroll
            for (int c = 0; c < own_columns; ++c) own[Row * own_columns + c].write_back(to[c]);
        }
        if constexpr (Row == 0)
            if (Tile::warp() == 0 && tile.first_row > 0) send_row<Row>(tile, 0);
        if constexpr (Row == last)
            if (Tile::warp() == Tile::warps() - 1 && tile.first_row + tile.shape.height < tile.rows) send_row<Row>(tile, 1);
        if (is_at_side)
#pragma unroll
            for (int j = 0; j < by_columns; ++j) {
                const T at_left = own[Row * own_columns + j].value, at_right = own[Row * own_columns + own_columns - by_columns + j].value;
                copy_of_element<T> given;
                given.fill(Tile::lane() == 0 ? at_left : at_right);
                sent_at_side[Row * by_columns + j].put(given.value, number);
            }
    }
    // What depends on the number of passing rows.
    struct position {
        int row, down, rows_at, sides;
        exchanged<T>* sent_at_side;
    };
    __device__ position here(Tile const& tile) const { return {tile.row, tile.down, rows_at, sides, sent_at_side}; }
    __device__ void go_back(Tile& tile, position const& to) {
        tile.row = to.row;
        tile.down = to.down;
        rows_at = to.rows_at;
        sides = to.sides;
        sent_at_side = to.sent_at_side;
    }
    __device__ static int passing_rows(Tile const& tile) { return tile_border::large_rows_in_memory(tile.shape) - 1; }
    // The row below the passing one takes its place.
    __device__ void step_down(Tile& tile) {
        move_rows<passing, passing + 1>();
        step_by(tile, 1);
    }
    // All have passed.
    __device__ void leave_passing(Tile& tile) {
        move_rows<passing + 1, passing>();
        step_by(tile, -1);
    }

private:
    template <int Row>
    static constexpr bool is_in_memory = Row == passing || Row == passing + 1;
    template <class F>
    __device__ void each_row(Tile& tile, F f) {
        const position start = here(tile);
        each_row_in_registers(f, std::make_integer_sequence<int, passing>{});
#pragma unroll 1
        for (int row = passing_rows(tile); row > 0; --row) {
            f(std::integral_constant<int, passing>{});
            step_by(tile, 1);
        }
        step_by(tile, -1);
        f(std::integral_constant<int, passing + 1>{});
        f(std::integral_constant<int, last>{});
        go_back(tile, start);
    }
    template <class F, int... Row>
    __device__ static void each_row_in_registers(F const& f, std::integer_sequence<int, Row...>) {
        (f(std::integral_constant<int, Row>{}), ...);
    }
    template <int Row>
    __device__ void send_row(Tile const& tile, int to) const {
        if constexpr (by_rows > 0)
#pragma unroll
            for (int c = 0; c < own_columns; ++c) sent[to * width + tile.column + c].put(own[Row * own_columns + c].value, number);
    }
    // The rows that are held around it, too.
    template <int To, int From>
    __device__ void move_rows() {
#pragma unroll
        for (int c = 0; c < own_columns; ++c) own[To * own_columns + c].fill(own[From * own_columns + c].value);
        move_held<To, From>(std::make_integer_sequence<int, 2 * by_rows>{});
    }
    template <int To, int From, int... I>
    __device__ void move_held(std::integer_sequence<int, I...>) {
        constexpr bool down = To < From;
        (copy_held<To + (down ? I : 2 * by_rows - 1 - I), From + (down ? I : 2 * by_rows - 1 - I)>(), ...);
    }
    template <int To, int From>
    __device__ void copy_held() {
#pragma unroll
        for (int c = 0; c < own_columns + 2 * by_columns; ++c) held[To][c].fill(held[From][c].value);
    }
    __device__ void step_by(Tile& tile, int rows) {
        tile.row += rows;
        tile.down -= rows;
        rows_at += rows * own_columns * stride * static_cast<int>(sizeof(T));
        sent_at_side += rows * by_columns;
        sides += rows * 2 * by_columns * static_cast<int>(sizeof(T));
    }
    __device__ T& in_memory(int row, int c) const { return at_byte(rows_at)[((row - passing) * own_columns + c) * stride]; }
    template <int Row>
    __device__ void store() {
        if constexpr (is_in_memory<Row>) {
#pragma unroll
            for (int c = 0; c < own_columns; ++c) own[Row * own_columns + c].write_back(in_memory(Row, c));
        }
    }
    template <int Row>
    COGRAPH_HD static constexpr int at_edge() {
        return (Row == 0 ? by_rows : 2 * by_rows) * all_columns;
    }
};

}  // namespace cograph::core
