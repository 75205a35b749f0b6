// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/tile_image.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace cograph::core {

// Where the passing row and those below it are: all in shared memory; the last of them in the variable's memory, and others in either; or all in either.
enum class passing_where { shared_memory, memory, any };

// A thread's rows in a large tile. The first and the last are those at the edges of a warp's, some are in registers, and the others in shared memory. Those for
// which there is no room are in the variable's own memory, which no one else reads while the loop runs. Row `passing` stands for these but the last of them,
// one after another; the rows below it, to `last_passing`, for those below that nodes read. `load` brings a row to registers; `store` brings it back, except those
// at edges, which large_image gives to other warps.
template <class T, class Kept, class Tile>
struct rows_in_turn : tile_image<T, Kept, Tile> {
    using small = tile_image<T, Kept, Tile>;
    using small::own, small::held, small::memory, small::edges, small::sides, small::copy, small::by_rows, small::by_columns, small::own_rows, small::own_columns, small::all_columns,
        small::at_byte, small::at_column, small::reach;
    using all_in_large = typename Kept::all_in_large;
    static constexpr large_rows of_all = all_in_large::rows({}, own_columns);
    static constexpr int passing = of_all.first_passing(), last_passing = passing + of_all.near, bytes_of_rows = of_all.of_row;
    static_assert(last_passing + by_rows < own_rows && by_rows <= passing && by_columns <= own_columns && own_rows == large_rows::kernel_rows);

    static constexpr int stride = most_tile_threads(Tile::elements_a_thread) * static_cast<int>(sizeof(T));

    int rows_at;  // the offset of the thread's first element in shared memory, in bytes
    int leaving;  // and of the place for an element that others read, of a thread at a side
    passing_where whereabouts = passing_where::any;
    // If it takes turns with another variable: in whose memory rows are, to whose they go, and whether that is the other one's.
    T *source, *target;
    bool goes_to_second = false;
    __device__ void turn(bool from_second, bool to_second, T* second) {
        source = from_second ? second : memory;
        target = to_second ? second : memory;
        goes_to_second = to_second;
    }
    // A row that is on chip goes there, too.
    template <int Row>
    __device__ void give_second(Tile const& tile) const {
        if (!goes_to_second) return;
        if constexpr (is_passing<Row>)
            if (Tile::keeps_part && whereabouts != passing_where::shared_memory && !is_in_shared(Row)) return;
        store_to_memory<Row>(tile);
    }

    template <int Row>
    __device__ void load(Tile const& tile) {
        if constexpr (is_passing<Row>)
            if (Tile::keeps_part && whereabouts != passing_where::shared_memory && ((whereabouts == passing_where::memory && Row == last_passing) || !is_in_shared(Row))) return load_from_memory<Row>(tile);
#pragma unroll
        for (int c = 0; c < own_columns; ++c) {
            if constexpr (is_passing<Row>) own[Row * own_columns + c].fill(in_shared(Row, c));
            if constexpr (is_at_edge<Row>) own[Row * own_columns + c].fill(at_byte(edges + copy)[at_edge<Row>() + at_column(c)]);
        }
    }
    template <int Row>
    __device__ void store(Tile const& tile) const {
        if constexpr (is_passing<Row>) {
            if (Tile::keeps_part && whereabouts != passing_where::shared_memory && !is_in_shared(Row)) return store_to_memory<Row>(tile);
#pragma unroll
            for (int c = 0; c < own_columns; ++c) own[Row * own_columns + c].write_back(in_shared(Row, c));
        }
    }
    // What depends on the number of passing rows.
    struct position {
        int row, down, rows_at, sides, leaving;
    };
    __device__ position here(Tile const& tile) const { return {tile.row, tile.down, rows_at, sides, leaving}; }
    __device__ void go_back(Tile& tile, position const& to) {
        tile.row = to.row;
        tile.down = to.down;
        rows_at = to.rows_at;
        sides = to.sides;
        leaving = to.leaving;
    }
    __device__ static int passing_rows(Tile const& tile) { return all_in_large::rows({}, own_columns).beyond(tile.shape) - (last_passing - passing); }
    __device__ static int passing_in_shared(Tile const& tile) {
        if constexpr (Tile::keeps_part)
            return all_in_large::rows(tile.shape, own_columns).in_shared(tile.shape, bytes_of_tile()) - (last_passing - passing);
        else
            return passing_rows(tile);
    }
    // The row below the passing one takes its place, or, if all have passed, gets it back.
    __device__ void move_up() { move_rows<passing, passing + 1>(std::make_integer_sequence<int, 2 * by_rows>{}); }
    __device__ void move_down() { move_rows<passing + 1, passing>(std::make_integer_sequence<int, 2 * by_rows>{}); }
    __device__ void step_by(int rows) {
        rows_at += rows * bytes_of_rows;
        sides += rows * 2 * by_columns * static_cast<int>(sizeof(T));
        leaving += rows * 2 * by_columns * static_cast<int>(sizeof(T));
    }

protected:
    // The shared memory that the launch gives the tile: it depends on the GPU.
    __device__ static int bytes_of_tile() {
        unsigned bytes;
        asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
        return static_cast<int>(bytes);
    }
    // Calls f for each row of the thread, with the number of the row that stands for it.
    template <class F>
    __device__ void each_row(Tile& tile, F f) {
        const position start = here(tile);
        each_row_from<0>(f, std::make_integer_sequence<int, passing>{});
#pragma unroll 1
        for (int row = passing_rows(tile); row > 0; --row) {
            f(std::integral_constant<int, passing>{});
            tile.step_down(1);
            step_by(1);
        }
        tile.step_down(-1);
        step_by(-1);
        each_row_from<passing + 1>(f, std::make_integer_sequence<int, own_rows - passing - 1>{});
        go_back(tile, start);
    }
    template <int First, class F, int... I>
    __device__ static void each_row_from(F const& f, std::integer_sequence<int, I...>) {
        (f(std::integral_constant<int, First + I>{}), ...);
    }
    // A row at the edge of a warp's, and its place there.
    template <int Row>
    static constexpr bool is_at_edge = Row < by_rows || (Row >= own_rows - by_rows && Row < own_rows);
    template <int Row>
    COGRAPH_HD static constexpr int at_edge() {
        return (Row < by_rows ? by_rows + Row : 3 * by_rows + Row - own_rows) * all_columns;
    }

private:
    template <int Row>
    static constexpr bool is_passing = Row >= passing && Row <= last_passing;
    // As many rows as nodes read below theirs, and the rows that are held around them.
    template <int To, int From, int... I>
    __device__ void move_rows(std::integer_sequence<int, I...>) {
        (move_row<To, From, (To < From ? I : 2 * by_rows - 1 - I)>(), ...);
    }
    template <int To, int From, int I>
    __device__ void move_row() {
#pragma unroll
        for (int c = 0; c < own_columns && I < by_rows; ++c) own[(To + I) * own_columns + c].fill(own[(From + I) * own_columns + c].value);
#pragma unroll
        for (int c = 0; c < own_columns + 2 * by_columns; ++c) held[To + I][c].fill(held[From + I][c].value);
    }
    __device__ T& in_shared(int row, int c) const { return *at_byte(rows_at + ((row - passing) * bytes_of_rows + c * stride)); }
    // Its rows are the last in shared memory.
    __device__ bool is_in_shared(int row) const { return rows_at + (row - passing) * bytes_of_rows < bytes_of_tile(); }
    // Elements beyond the box are not touched, and have any values.
    template <int Row>
    __device__ void load_from_memory(Tile const& tile) {
        if (Row >= tile.down) return;
        const T* const from = (Kept::takes_turns ? source : memory) + tile.template place<false>(Row * own_columns).number;
        if (is_whole(tile, from)) {
            piece_of_row piece[pieces + 1];
#pragma unroll
            for (int i = 0; i < pieces; ++i) piece[i] = __ldcg(reinterpret_cast<const piece_of_row*>(from) + i);
#pragma unroll
            for (int c = 0; c < own_columns; ++c) memcpy(&own[Row * own_columns + c].value, reinterpret_cast<const char*>(piece) + c * sizeof(T), sizeof(T));
        } else
#pragma unroll
            for (int c = 0; c < own_columns; ++c)
                if (c < tile.across) own[Row * own_columns + c].fill(from[c]);
    }
    template <int Row>
    __device__ void store_to_memory(Tile const& tile) const {
        if (Row >= tile.down) return;
        T* const to = (Kept::takes_turns ? target : memory) + tile.template place<false>(Row * own_columns).number;
        if (is_whole(tile, to)) {
            piece_of_row piece[pieces + 1];
#pragma unroll
            for (int c = 0; c < own_columns; ++c) memcpy(reinterpret_cast<char*>(piece) + c * sizeof(T), &own[Row * own_columns + c].value, sizeof(T));
#pragma unroll
            for (int i = 0; i < pieces; ++i) __stcg(reinterpret_cast<piece_of_row*>(to) + i, piece[i]);
        } else
#pragma unroll
            for (int c = 0; c < own_columns; ++c)
                if (c < tile.across) own[Row * own_columns + c].write_back(to[c]);
    }
    // Whether all of a thread's elements of a row exist, and are whole pieces of memory that a thread reads at once.
    using piece_of_row = choose<own_columns * sizeof(T) % sizeof(int4) == 0, int4, int2>;
    static constexpr int pieces = own_columns * static_cast<int>(sizeof(T)) / static_cast<int>(sizeof(piece_of_row));
    __device__ static bool is_whole(Tile const& tile, const T* at) {
        return own_columns * sizeof(T) % sizeof(piece_of_row) == 0 && tile.across == own_columns && reinterpret_cast<std::uintptr_t>(at) % sizeof(piece_of_row) == 0;
    }
};

}  // namespace cograph::core
