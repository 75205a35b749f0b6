// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tiles/large_tiles.hpp>
#include <cograph/run/persistent/chunk_exchange.cuh>
#include <cograph/run/tiles/tile_image.cuh>

#include <cstdint>
#include <cstring>

namespace cograph::core {

static_assert(2 * most_warps + warps_of_tile + 2 * most_shared_chunks <= most_places_of_result);

// A variable of two dimensions whose neighbours are read, in large tiles. Of a thread's rows, the first and the last are those at the edges of a warp's, five
// are in registers, and the others in shared memory. Those for which there is no room are in the variable's own memory, which no one else reads while
// the loop runs. Row `passing` stands for these but the last of them, one after another. The thread has a row that is not in registers there from `load`
// to `leave`.
template <class T, class Kept, class Tile>
struct large_image : tile_image<T, Kept, Tile> {
    using small = tile_image<T, Kept, Tile>;
    using small::own, small::held, small::memory, small::changed, small::edges, small::sides, small::copy, small::by_rows, small::by_columns, small::own_rows, small::own_columns, small::all_columns,
        small::at_byte, small::at_column, small::stale, small::number, small::bytes_of_copy, small::reach, small::borders, small::border_elements, small::width, small::find_in_halo, small::copy_of;
    static constexpr int passing = 1 + large_rows_in_registers, last = passing + 2;
    static_assert(by_rows == 1 && by_columns <= own_columns && last == own_rows - 1);

    // The passing row and the one below it are in shared memory, or the one below is in the variable's memory: then the passing one is in either.
    enum class where { shared_memory, memory, any };
    static constexpr int stride = most_tile_threads(Tile::few);

    int rows_at;  // the offset of the thread's first element in shared memory, in bytes
    int leaving;  // and of the place for an element that others read, of a thread at a side
    where whereabouts = where::any;

    __device__ int shared_bytes(Tile const& tile) const { return reach().large_shared_bytes(tile.shape, sizeof(T)); }
    __device__ void place(Tile const& tile, int shared, char* of_borders) {
        small::place(tile, shared, of_borders);
        rows_at = shared + reach().shared_bytes(2, tile.shape, sizeof(T)) + static_cast<int>(threadIdx.x) * static_cast<int>(sizeof(T));
    }
    // Rows in the variable's memory are written to their own place. Other blocks may read them meanwhile (fill_halo), and find the same bytes. The loop
    // changes them after all blocks have met (tiled_run).
    __device__ void fill(Tile& tile) {
        if (!Kept::filled || tile.height <= 0) return;
        each_row(tile, [&]<int Row>(std::integral_constant<int, Row>) {
#pragma unroll
            for (int e = Row * own_columns; e < (Row + 1) * own_columns; ++e)
                if (tile.exists(e)) own[e].fill(memory[tile.number_of(e)]);
            store<Row>(tile);
        });
        small::fill_halo(tile);
    }
    // To another variable, which has the same elements. To its own, rows in memory are written once more. All blocks have met (tiles_on_chip::end), and none
    // reads elements of others after that. Each element is one thread's, and those beyond the box are not touched. So launches over parts of an array that lie side
    // by side meet in no element. Nothing else runs beside the loop that uses the variable: for plans the loop writes it, however often it runs.
    __device__ void write_back_to(Tile& tile, T* to) {
        each_row(tile, [&]<int Row>(std::integral_constant<int, Row>) {
            load<Row>(tile);
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
        if constexpr (Row == 0) load<0>(tile);
        load<Row + by_rows>(tile);
        small::template hold<Row>();
    }
    template <int Row>
    __device__ void load(Tile const& tile) {
        if constexpr (is_passing<Row>)
            if (Tile::keeps_part && whereabouts != where::shared_memory && ((whereabouts == where::memory && Row > passing) || !is_in_shared(Row))) return load_from_memory<Row>(tile);
#pragma unroll
        for (int c = 0; c < own_columns; ++c) {
            if constexpr (is_passing<Row>) own[Row * own_columns + c].fill(in_shared(Row, c));
            if constexpr (Row == 0 || Row == last) own[Row * own_columns + c].fill(at_byte(edges + copy)[at_edge<Row>() + at_column(c)]);
        }
    }
    template <int Row>
    __device__ void leave(Tile const& tile) {
        store<Row>(tile);
        if constexpr (Row == 0 || Row == last) {
            T* const to = at_byte(edges + (number & 1) * bytes_of_copy) + at_edge<Row>();
#pragma unroll
            for (int c = 0; c < own_columns; ++c) own[Row * own_columns + c].write_back(to[at_column(c)]);
        }
        const bool left = Tile::lane() == 0;
#pragma unroll
        for (int j = 0; j < by_columns; ++j) {
            const T at_left = own[Row * own_columns + j].value, at_right = own[Row * own_columns + own_columns - by_columns + j].value;
            copy_of_element<T> given;
            given.fill(left ? at_left : at_right);
            put_if(left || Tile::lane() == tile_lanes - 1, leaving + (Row * 2 * by_columns + j) * static_cast<int>(sizeof(T)), given.value);
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
    __device__ static int passing_rows(Tile const& tile) { return tile_border::large_rows_beyond(tile.shape) - 1; }
    __device__ static int passing_in_shared(Tile const& tile) { return reach().large_rows_in_shared(tile.shape, sizeof(T)) - 1; }
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
    static constexpr bool is_passing = Row == passing || Row == passing + 1;
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
        exchanged<T>* const to = borders + ((number & 1) * most_tile_blocks + tile.number) * border_elements;
        for (int row = 0; row < (Tile::keeps_part ? tile.rows_each() : rows_together); row += rows_together)
#pragma unroll
            for (int j = 0; j < by_columns; ++j) {
                const place_at_side at(tile, row, j);
                if (at.is_there && (at.is_left ? tile.first_column > 0 : tile.first_column + width < tile.columns))
                    to[at.of(tile, at.is_left)].put(copy_of(at_byte(sides + copy)[at.number]).value, number);
            }
        if constexpr (by_rows > 0) {
            if (Tile::warp() == 0 && tile.first_row > 0) send_row<0>(to + tile.column);
            if (Tile::warp() == Tile::warps() - 1 && tile.first_row + tile.shape.height < tile.rows) send_row<last>(to + width + tile.column);
        }
    }
    template <int Row>
    __device__ void send_row(exchanged<T>* to) const {
#pragma unroll
        for (int c = 0; c < own_columns; ++c) to[c].put(copy_of(at_byte(edges + copy)[at_edge<Row>() + at_column(c)]).value, number);
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
        sides += rows * 2 * by_columns * static_cast<int>(sizeof(T));
        leaving += rows * 2 * by_columns * static_cast<int>(sizeof(T));
    }
    __device__ T& in_shared(int row, int c) const { return at_byte(rows_at)[((row - passing) * own_columns + c) * stride]; }
    // Its rows are the last in shared memory.
    __device__ bool is_in_shared(int row) const {
        unsigned bytes;
        asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
        return rows_at + (row - passing) * own_columns * stride * static_cast<int>(sizeof(T)) < static_cast<int>(bytes);
    }
    template <int Row>
    __device__ void store(Tile const& tile) const {
        if constexpr (is_passing<Row>) {
            if (Tile::keeps_part && whereabouts != where::shared_memory && !is_in_shared(Row)) return store_to_memory<Row>(tile);
#pragma unroll
            for (int c = 0; c < own_columns; ++c) own[Row * own_columns + c].write_back(in_shared(Row, c));
        }
    }
    // Elements beyond the box are not touched, and have any values.
    template <int Row>
    __device__ void load_from_memory(Tile const& tile) {
        if (Row >= tile.down) return;
        const T* const from = memory + tile.template place<false>(Row * own_columns).number;
        if (is_whole(tile, from)) {
            int4 piece[pieces + 1];
#pragma unroll
            for (int i = 0; i < pieces; ++i) piece[i] = __ldcg(reinterpret_cast<const int4*>(from) + i);
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
        T* const to = memory + tile.template place<false>(Row * own_columns).number;
        if (is_whole(tile, to)) {
            int4 piece[pieces + 1];
#pragma unroll
            for (int c = 0; c < own_columns; ++c) memcpy(reinterpret_cast<char*>(piece) + c * sizeof(T), &own[Row * own_columns + c].value, sizeof(T));
#pragma unroll
            for (int i = 0; i < pieces; ++i) __stcg(reinterpret_cast<int4*>(to) + i, piece[i]);
        } else
#pragma unroll
            for (int c = 0; c < own_columns; ++c)
                if (c < tile.across) own[Row * own_columns + c].write_back(to[c]);
    }
    // Whether all of a thread's elements of a row exist, and are whole pieces of memory that a thread reads at once.
    static constexpr int pieces = own_columns * static_cast<int>(sizeof(T)) / static_cast<int>(sizeof(int4));
    __device__ static bool is_whole(Tile const& tile, const T* at) {
        return own_columns * sizeof(T) % sizeof(int4) == 0 && tile.across == own_columns && reinterpret_cast<std::uintptr_t>(at) % sizeof(int4) == 0;
    }
    template <int Row>
    COGRAPH_HD static constexpr int at_edge() {
        return (Row == 0 ? by_rows : 2 * by_rows) * all_columns;
    }
};

}  // namespace cograph::core
