// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/exchange/exchanged.cuh>
#include <cograph/run/tiles/held_rows.cuh>
#include <cograph/run/tiles/near_views.cuh>

namespace cograph::core {

// A variable of two dimensions whose neighbours are read: the elements around the tile come from other blocks after each write. Elements that other blocks read are in memory, in two copies. A
// block writes the next ones only after all blocks around it have sent the ones before. These have read the old ones by then.
template <class T, class Kept, class Tile>
struct tile_image : held_rows<T, Kept, Tile> {
    using held_rows<T, Kept, Tile>::own, held_rows<T, Kept, Tile>::memory, held_rows<T, Kept, Tile>::changed, held_rows<T, Kept, Tile>::edges, held_rows<T, Kept, Tile>::sides,
        held_rows<T, Kept, Tile>::copy, held_rows<T, Kept, Tile>::by_rows, held_rows<T, Kept, Tile>::by_columns, held_rows<T, Kept, Tile>::own_rows,
        held_rows<T, Kept, Tile>::own_columns, held_rows<T, Kept, Tile>::radius, held_rows<T, Kept, Tile>::reach, held_rows<T, Kept, Tile>::at_byte,
        held_rows<T, Kept, Tile>::copy_of, held_rows<T, Kept, Tile>::give_edges, held_rows<T, Kept, Tile>::place_in_row;
    static constexpr int width = tile_lanes * own_columns, border_elements = radius.most(2, Tile::kind);
    static constexpr int copies = Tile::in_order ? copies_in_order(Tile::elements_a_thread) : 2;

    bool stale;          // the halo is out of date
    bool is_late;        // the block wrote again before it fetched the halo: others have not been sent those elements
    unsigned number;     // of the last exchange
    int all_edges, all_sides, bytes_of_copy;
    exchanged<T>* borders;     // of all blocks
    int first_to, first_from;  // the first element of the halo that this thread fetches: target and source, or -1

    __device__ int shared_bytes(Tile const& tile) const { return reach().shared_bytes(2, tile.shape, sizeof(T), copies); }

    __device__ void place(Tile const& tile, int shared, char* of_borders) {
        all_edges = shared;
        all_sides = shared + reach().of_warps(tile.shape) * static_cast<int>(sizeof(T));
        bytes_of_copy = copies == 1 ? 0 : (reach().of_warps(tile.shape) + reach().at_sides(tile.shape)) * static_cast<int>(sizeof(T));
        edges = all_edges + (Tile::warp() * 2 * by_rows * width + place_in_row(tile.column)) * static_cast<int>(sizeof(T));
        sides = all_sides + (tile.row + by_rows) * 2 * by_columns * static_cast<int>(sizeof(T));
        borders = reinterpret_cast<exchanged<T>*>(of_borders);
        stale = is_late = false;
        number = 0;
        copy = 0;
        index_t of_box;
        find_in_halo(tile, fetched_first(), first_to, first_from, of_box);
    }
    __device__ void fill(Tile const& tile) {
        if (!Kept::filled || tile.height <= 0) return;
#pragma unroll
        for (int e = 0; e < Tile::elements_a_thread; ++e)
            if (tile.exists(e)) own[e].fill(memory[tile.number_of(e)]);
        fill_halo(tile);
    }
    __device__ void fill_halo(Tile const& tile) {
        give_edges();
        for (int at = static_cast<int>(threadIdx.x); at < halo_elements(tile); at += static_cast<int>(blockDim.x)) {
            int to, from;
            index_t of_box;
            find_in_halo(tile, at, to, from, of_box);
            if (of_box >= 0) ::new (static_cast<void*>(at_byte(to))) T(memory[of_box]);
        }
    }
    // All blocks are here, and no one reads this one's elements any more.
    __device__ void clear(Tile const& tile) const { clear(tile, borders); }
    __device__ static void clear(Tile const& tile, exchanged<T>* borders) {
        if constexpr (border_elements > 0)  // a variable whose neighbours are not read has none
            for (int at = static_cast<int>(threadIdx.x); at < 2 * border_elements; at += static_cast<int>(blockDim.x))
                borders[(at / border_elements * most_tile_blocks + tile.number) * border_elements + at % border_elements].clear();
    }

    __device__ void end(Tile const& tile, int) {
        changed = true;
        is_late = stale;
        if (!stale) {
            ++number;
            copy = (number & 1) * bytes_of_copy;
            if constexpr (sends_together)
                send_together(tile);
            else
                send(tile, borders, number, own_elements());
        }
        stale = true;
        if constexpr (copies == 1) __syncthreads();  // no one reads those before
        give_edges();
    }
    // The halo, if it is out of date; true if it was. Others see it after a barrier of the block.
    template <class Context>
    __device__ bool fetch(Tile const& tile, Context const& context) {
        if (!stale) return false;
        if (is_late) {
            context.barrier_all.wait();  // everyone has read the last ones
            number += 2;
            send(tile, borders, number, own_elements());
        }
        stale = is_late = false;
        if (first_from >= 0) wait_for(first_from, first_to);
        for (int at = fetched_first() + static_cast<int>(blockDim.x); at < halo_elements(tile); at += static_cast<int>(blockDim.x)) {
            int to, from;
            index_t of_box;
            find_in_halo(tile, at, to, from, of_box);
            if (from >= 0) wait_for(from, to);
        }
        return true;
    }

    __device__ auto own_elements() const {
        return [this](int at_own) -> T const& { return own[at_own].value; };
    }
    // Threads of warps other than the first, which has other work at that time.
    __device__ static int fetched_first() { return static_cast<int>(blockDim.x - 1 - threadIdx.x); }
    // Of: gives the thread's elements.
    template <class Of>
    __device__ static void send(Tile const& tile, exchanged<T>* borders, unsigned number, Of const& of) {
        exchanged<T>* const to = sent_by(tile, borders, number);
        send_rows(tile, to, number, of);
        const int lane = Tile::lane();
        if constexpr (by_columns > 0) {
            constexpr int lanes = (by_columns + own_columns - 1) / own_columns;
            const bool left = lane < lanes && has_beside(tile, true), right = lane >= tile_lanes - lanes && has_beside(tile, false);
            if (!left && !right) return;
            exchanged<T>* const column = row_at_side(tile, to, left, tile.row) + (left ? tile.column : tile.column - (width - by_columns));
#pragma unroll
            for (int c = 0; c < own_columns; ++c) {
                if (left ? tile.column + c >= by_columns : tile.column + c < width - by_columns) continue;
#pragma unroll
                for (int r = 0; r < own_rows; ++r) column[r * by_columns + c].put(of(r * own_columns + c), number);
            }
        }
    }
    // Two threads of a warp have elements at the sides of the tile. Its threads send them together, through the place of the warp's first row: a write to
    // memory takes as long for one thread as for a warp. It pays for more than four rows.
    static constexpr int warp_at_sides = 2 * by_columns * own_rows;
    static constexpr bool sends_together = copies == 2 && Tile::elements_a_thread > most_with_spare_registers && by_rows > 0 && by_columns > 0 && by_columns <= own_columns &&
                                           warp_at_sides <= tile_lanes && warp_at_sides <= by_rows * width;
    __device__ void send_together(Tile const& tile) const {
        exchanged<T>* const to = sent_by(tile, borders, number);
        send_rows(tile, to, number, own_elements());
        const int lane = Tile::lane();
        T* const of_warp = at_byte(all_edges + copy) + (2 * Tile::warp() + 1) * by_rows * width;
        if (lane == 0 || lane == tile_lanes - 1) {
            T* const of_side = of_warp + (lane == 0 ? 0 : by_columns);
#pragma unroll
            for (int r = 0; r < own_rows; ++r)
#pragma unroll
                for (int j = 0; j < by_columns; ++j) {
                    const T at_left = own[r * own_columns + j].value, at_right = own[r * own_columns + own_columns - by_columns + j].value;
                    copy_of_element<T> given;
                    given.fill(lane == 0 ? at_left : at_right);
                    given.write_back(of_side[r * 2 * by_columns + j]);
                }
        }
        __syncwarp();
        const int row = lane / (2 * by_columns), at = lane % (2 * by_columns);
        const bool left = at < by_columns;
        if (lane < warp_at_sides && has_beside(tile, left)) row_at_side(tile, to, left, tile.row + row)[left ? at : at - by_columns].put(copy_of(of_warp[lane]).value, number);
        __syncwarp();
    }
    // The place for elements that this block sends: rows above and below, then the columns at both sides.
    __device__ static exchanged<T>* sent_by(Tile const& tile, exchanged<T>* borders, unsigned number) { return borders + ((number & 1) * most_tile_blocks + tile.number) * border_elements; }
    // A row of one of these columns.
    __device__ static exchanged<T>* row_at_side(Tile const& tile, exchanged<T>* to, bool left, int row) { return to + 2 * by_rows * width + ((left ? 0 : tile.shape.height) + row) * by_columns; }
    // Whether another tile is beside this one.
    __device__ static bool has_beside(Tile const& tile, bool left) { return left ? tile.first_column > 0 : tile.first_column + width < tile.columns; }
    template <class Of>
    __device__ static void send_rows(Tile const& tile, exchanged<T>* to, unsigned number, Of const& of) {
        if (by_rows > 0 && Tile::warp() == 0 && tile.first_row > 0) {
#pragma unroll
            for (int i = 0; i < by_rows; ++i)
#pragma unroll
                for (int c = 0; c < own_columns; ++c) to[i * width + tile.column + c].put(of(i * own_columns + c), number);
        }
        if (by_rows > 0 && Tile::warp() == Tile::warps() - 1 && tile.first_row + tile.shape.height < tile.rows) {
#pragma unroll
            for (int i = 0; i < by_rows; ++i)
#pragma unroll
                for (int c = 0; c < own_columns; ++c) to[(by_rows + i) * width + tile.column + c].put(of((own_rows - by_rows + i) * own_columns + c), number);
        }
    }
    __device__ void wait_for(int from, int to) const {
        copy_of_element<T> found;
        wait_for(borders, number, from, found);
        found.write_back(*at_byte(to + copy));
    }
    __device__ static void wait_for(exchanged<T> const* borders, unsigned number, int from, copy_of_element<T>& found) {
        while (!borders[(number & 1) * most_tile_blocks * border_elements + from].get(found.value, number)) {}
    }

    __device__ static int halo_elements(Tile const& tile) { return tile.height <= 0 ? 0 : 2 * by_rows * width + reach().at_sides(tile.shape); }
    // The element of the halo with number `at`: its place in shared memory, among the borders of all blocks, and in the box; these are -1 if
    // there is none.
    __device__ void find_in_halo(Tile const& tile, int at, int& to, int& from, index_t& of_box) const {
        from = -1;
        of_box = -1;
        to = 0;
        if (at >= halo_elements(tile)) return;
        int row, column;
        if (at < 2 * by_rows * width) {
            row = at / width;
            column = at % width;
            const int place = row < by_rows ? row : (tile.shape.threads / tile_lanes * 2) * by_rows + row;
            to = all_edges + (place * width + place_in_row(column)) * static_cast<int>(sizeof(T));
            row = row < by_rows ? row - by_rows : tile.shape.height + row - by_rows;
        } else {
            at -= 2 * by_rows * width;
            to = all_sides + at * static_cast<int>(sizeof(T));
            constexpr int both = by_columns > 0 ? 2 * by_columns : 1;
            row = at / both - by_rows;
            column = at % both < by_columns ? at % both - by_columns : width + at % both - by_columns;
        }
        const int i = tile.first_row + row, j = tile.first_column + column;
        if (i < 0 || i >= tile.rows || j < 0 || j >= tile.columns) return;
        of_box = index_t{i} * tile.columns + j;
        const int down = row < 0 ? -1 : row >= tile.shape.height ? 1 : 0, across = column < 0 ? -1 : column >= width ? 1 : 0;
        const int in_row = row - down * tile.shape.height, in_column = column - across * width;  // of that tile
        int within;
        if (down != 0)
            within = (down < 0 ? by_rows + in_row - (tile.shape.height - by_rows) : in_row) * width + in_column;
        else
            within = 2 * by_rows * width + (across < 0 ? (tile.shape.height + row) * by_columns + in_column - (width - by_columns) : row * by_columns + in_column);
        from = tile.next(down, across) * border_elements + within;
    }
};

}  // namespace cograph::core
