// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tiles/loop/large_tiles.hpp>
#include <cograph/run/persistent/chunk_exchange.cuh>
#include <cograph/run/tiles/variants/rows_in_turn.cuh>

#include <cstring>
#include <type_traits>
#include <utility>

namespace cograph::core {

static_assert(2 * most_warps + warps_of_tile + 2 * most_shared_chunks <= most_places_of_result);

// A variable of two dimensions whose neighbours are read, in large tiles: how it comes on chip and back, and what blocks send each other. The thread has a row
// that is not in registers there from `load` to `leave`.
template <class T, class Kept, class Tile>
struct large_image : rows_in_turn<T, Kept, Tile> {
    using small = tile_image<T, Kept, Tile>;
    using rows = rows_in_turn<T, Kept, Tile>;
    using small::own, small::memory, small::changed, small::edges, small::sides, small::copy, small::by_rows, small::by_columns, small::own_rows, small::own_columns, small::at_byte, small::at_column, small::stale,
        small::number, small::bytes_of_copy, small::reach, small::borders, small::border_elements, small::width, small::find_in_halo, small::copy_of;
    using rows::rows_at, rows::leaving, rows::each_row;

    __device__ void place(Tile const& tile, int shared, char* of_borders) {
        small::place(tile, shared, of_borders);
        if constexpr (Kept::takes_turns) rows::turn(false, false, memory);
        rows_at = Kept::all_in_large::rows(tile.shape, own_columns).around + Kept::bytes_before * own_columns * most_tile_threads(Tile::elements_a_thread) + static_cast<int>(threadIdx.x) * static_cast<int>(sizeof(T));
    }
    // Rows in the variable's memory are written to their own place. Other blocks may read them meanwhile (fill_halo), and find the same bytes. The loop
    // changes them after all blocks have met (tiled_run).
    __device__ void fill(Tile& tile) {
        if (!Kept::filled || tile.height <= 0) return;
        each_row(tile, [&]<int Row>(std::integral_constant<int, Row>) {
#pragma unroll
            for (int e = Row * own_columns; e < (Row + 1) * own_columns; ++e)
                if (tile.exists(e)) own[e].fill(memory[tile.number_of(e)]);
            rows::template store<Row>(tile);
        });
        small::fill_halo(tile);
    }
    // To another variable, which has the same elements. To its own, rows in memory are written once more. All blocks have met (tiles_on_chip::end), and none
    // reads elements of others after that. Each element is one thread's, and those beyond the box are not touched. So launches over parts of an array that lie side
    // by side meet in no element. Nothing else runs beside the loop that uses the variable: for plans the loop writes it, however often it runs.
    __device__ void write_back_to(Tile& tile, T* to) {
        each_row(tile, [&]<int Row>(std::integral_constant<int, Row>) {
            rows::template load<Row>(tile);
#pragma unroll
            for (int e = Row * own_columns; e < (Row + 1) * own_columns; ++e)
                if (tile.exists(e)) own[e].write_back(to[tile.number_of(e)]);
        });
    }
    __device__ void write_back(Tile& tile) {
        if constexpr (Kept::takes_turns) rows::turn(false, false, memory);
        if (Kept::written && changed) write_back_to(tile, memory);
    }
    __device__ void find_again() {
        small::find_again();
        asm volatile("" : "+r"(rows_at));
    }

    // What other blocks read lies where elements of others arrive next, until the threads of a warp send it together.
    __device__ void begin(Tile const&) {
        ++number;
        leaving = sides + bytes_of_copy - copy + (Tile::lane() == 0 ? 0 : by_columns) * static_cast<int>(sizeof(T));
    }
    __device__ void end(Tile const& tile, int) {
        copy = (number & 1) * bytes_of_copy;
        changed = stale = true;
        __syncwarp();
        send(tile);
    }
    // Each thread waits for elements in the places from which it has sent others, and for some of those above and below the tile.
    template <class Context>
    __device__ bool fetch(Tile const& tile, Context const&) {
        if (!stale) return false;
        stale = false;
        int to[by_columns + 1], from[by_columns + 1];
        for (int row = rows_together; Tile::keeps_part && row < tile.rows_each(); row += rows_together) {
            find_sides(tile, row, to, from);
            from[by_columns] = -1;
            receive(to, from, 0);
        }
        find_sides(tile, 0, to, from);
        constexpr int above_and_below = 2 * by_rows * (width + by_columns), others = above_and_below + 2 * by_rows * by_columns;
        for (int at = static_cast<int>(blockDim.x) - 1 - keep(static_cast<int>(threadIdx.x)), first = 0;; at += static_cast<int>(blockDim.x), first = by_columns) {
            index_t of_box;
            from[by_columns] = -1;
            if (at < others) find_in_halo(tile, at < above_and_below ? at : at + tile.shape.height * 2 * by_columns, to[by_columns], from[by_columns], of_box);
            receive(to, from, first);
            if (at + static_cast<int>(blockDim.x) >= others) return true;
        }
    }
    template <int Row>
    __device__ void hold(Tile const& tile) {
        if constexpr (Row == 0) load_first(tile, std::make_integer_sequence<int, by_rows>{});
        rows::template load<Row + by_rows>(tile);
        small::template hold<Row>();
    }
    template <int Row>
    __device__ void leave(Tile const& tile) {
        rows::template store<Row>(tile);
        if constexpr (Kept::takes_turns) rows::template give_second<Row>(tile);
        if constexpr (rows::template is_at_edge<Row>) {
            T* const to = at_byte(edges + (number & 1) * bytes_of_copy) + rows::template at_edge<Row>();
#pragma unroll
            for (int c = 0; c < own_columns; ++c) own[Row * own_columns + c].write_back(to[at_column(c)]);
        }
        const bool left = Tile::lane() == 0;
#pragma unroll
        for (int j = 0; j < by_columns; ++j) {
            const T at_left = own[Row * own_columns + j].value, at_right = own[Row * own_columns + own_columns - by_columns + j].value;
            const int to = leaving + (Row * 2 * by_columns + j) * static_cast<int>(sizeof(T));
            put_if(left, to, at_left);
            put_if(Tile::lane() == tile_lanes - 1, to, at_right);
        }
    }

private:
    template <int... Row>
    __device__ void load_first(Tile const& tile, std::integer_sequence<int, Row...>) {
        (rows::template load<Row>(tile), ...);
    }
    // A branch would keep the compiler from mixing the instructions of two rows.
    __device__ static void put_if(bool now, int byte, T const& value) {
        const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(tile_memory)) + static_cast<unsigned>(byte);
        if constexpr (sizeof(T) == 8) {
            unsigned long long word;
            memcpy(&word, &value, sizeof(T));
            asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p st.shared.u64 [%1], %2; }" ::"r"(unsigned{now}), "r"(at), "l"(word));
        } else if constexpr (sizeof(T) == 4) {
            unsigned word;
            memcpy(&word, &value, sizeof(T));
            asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p st.shared.u32 [%1], %2; }" ::"r"(unsigned{now}), "r"(at), "r"(word));
        } else if (now) {
            copy_of_element<T> given;
            given.fill(value);
            given.write_back(*at_byte(byte));
        }
    }
    // The j-th element at the sides of some of a warp's rows that its thread sends, and whose place it waits for.
    static constexpr int rows_together = most_large_rows;
    static constexpr int of_both_sides = by_columns > 0 ? 2 * by_columns : 1;  // elements of a row
    struct place_at_side {
        int number, row, column;
        bool is_left, is_there;
        __device__ place_at_side(Tile const& tile, int first, int j)
            : number(keep(Tile::lane()) + j * tile_lanes + first * of_both_sides), row(number / of_both_sides), column(number % of_both_sides), is_left(column < by_columns),
              is_there(row < tile.rows_each() && tile.height > 0) {
            if (!is_left) column -= by_columns;
        }
        // Its number among those that a block sends from its left side, or from its right one.
        __device__ int of(Tile const& tile, bool left) const { return 2 * by_rows * width + ((left ? 0 : tile.shape.height) + tile.row + row) * by_columns + column; }
    };
    __device__ void find_sides(Tile const& tile, int first, int (&to)[by_columns + 1], int (&from)[by_columns + 1]) const {
#pragma unroll
        for (int j = 0; j < by_columns; ++j) {
            const place_at_side at(tile, first, j);
            const int column = at.is_left ? -1 : width + at.column;
            const bool exists = at.is_there && tile.first_row + tile.row + at.row < tile.rows && tile.first_column + column >= 0 && tile.first_column + column < tile.columns;
            to[j] = sides + at.number * static_cast<int>(sizeof(T));
            from[j] = exists ? (tile.number + (at.is_left ? -1 : 1)) * border_elements + at.of(tile, !at.is_left) : -1;
        }
    }
    __device__ void send(Tile const& tile) const {
        exchanged<T>* const to = small::sent_by(tile, borders, number);
        for (int row = 0; row < (Tile::keeps_part ? tile.rows_each() : rows_together); row += rows_together)
#pragma unroll
            for (int j = 0; j < by_columns; ++j) {
                const place_at_side at(tile, row, j);
                if (at.is_there && small::has_beside(tile, at.is_left))
                    to[at.of(tile, at.is_left)].put(copy_of(at_byte(sides + copy)[at.number]).value, number);
            }
        if constexpr (by_rows > 0) {
            if (Tile::warp() == 0 && tile.first_row > 0) send_rows<0>(to + tile.column, std::make_integer_sequence<int, by_rows>{});
            if (Tile::warp() == Tile::warps() - 1 && tile.first_row + tile.shape.height < tile.rows) send_rows<own_rows - by_rows>(to + by_rows * width + tile.column, std::make_integer_sequence<int, by_rows>{});
        }
    }
    template <int First, int... I>
    __device__ void send_rows(exchanged<T>* to, std::integer_sequence<int, I...>) const {
        (send_row<First + I>(to + I * width), ...);
    }
    template <int Row>
    __device__ void send_row(exchanged<T>* to) const {
#pragma unroll
        for (int c = 0; c < own_columns; ++c) to[c].put(copy_of(at_byte(edges + copy)[rows::template at_edge<Row>() + at_column(c)]).value, number);
    }
    // All reads are on their way together.
    __device__ void receive(const int (&to)[by_columns + 1], const int (&from)[by_columns + 1], int first) const {
        const exchanged<T>* const sent = borders + (number & 1) * most_tile_blocks * border_elements;
        copy_of_element<T> found[by_columns + 1];
        unsigned missing;
        do {
            missing = 0;
#pragma unroll
            for (int j = 0; j <= by_columns; ++j)
                if (j >= first && from[j] >= 0) missing |= sent[from[j]].get(found[j].value, number) ? 0u : 1u;
        } while (missing != 0);
#pragma unroll
        for (int j = 0; j <= by_columns; ++j)
            if (j >= first && from[j] >= 0) found[j].write_back(*at_byte(to[j] + copy));
    }
};

}  // namespace cograph::core
