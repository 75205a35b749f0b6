// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/tile_image.cuh>

namespace cograph::core {

// A variable of two dimensions whose neighbours are read, in overlapping tiles: the block computes elements around its tile as well. Each write after a read of
// neighbours is right for fewer rows and columns around the tile, until other blocks send theirs.
template <class T, class Kept, class Tile>
struct overlapping_image : held_rows<T, Kept, Tile> {
    using rows_of_warps = held_rows<T, Kept, Tile>;
    using rows_of_warps::own, rows_of_warps::memory, rows_of_warps::changed, rows_of_warps::edges, rows_of_warps::sides, rows_of_warps::copy, rows_of_warps::by_rows,
        rows_of_warps::by_columns, rows_of_warps::own_rows, rows_of_warps::own_columns, rows_of_warps::all_columns, rows_of_warps::at_byte, rows_of_warps::give_edges, rows_of_warps::place_in_row,
        rows_of_warps::at_column;
    static constexpr int border_elements = tile_border::most_overlapping(), reads_away = by_rows > by_columns ? by_rows : by_columns;

    int good;          // rows and columns around the tile that are right
    bool is_new;       // written since its threads last met
    bool is_sent;      // and the block has not fetched the elements of others since
    bool is_late;      // sent, then written again: others do not have the last elements
    unsigned number;   // of the last exchange
    int bytes_of_copy;
    exchanged<T>* borders;  // of all blocks
    // Of each element that the block sends, its place among all that blocks exchange in one turn; of one that it receives, that place counted down from
    // below `unexchanged`.
    int place_of[Tile::elements_a_thread];
    static constexpr int unexchanged = -1;

    __device__ int shared_bytes(Tile const& tile) const { return tile_border{by_rows, by_columns, 0}.overlapping_shared_bytes(tile.shape, sizeof(T)); }
    __device__ void place(Tile const& tile, int shared, char* of_borders) {
        bytes_of_copy = (Tile::warps() + 1) * 2 * by_rows * all_columns * static_cast<int>(sizeof(T));
        edges = shared + (Tile::warp() * 2 * by_rows * all_columns + place_in_row(tile.column)) * static_cast<int>(sizeof(T));
        sides = copy = 0;
        borders = reinterpret_cast<exchanged<T>*>(of_borders);
        good = tile.shape.overlap;
        is_new = is_sent = is_late = false;
        number = 0;
#pragma unroll
        for (int e = 0; e < Tile::elements_a_thread; ++e) place_of[e] = find_place(tile, e);
    }
    __device__ void fill(Tile const& tile) {
        if (!Kept::filled || !tile.any()) return;
#pragma unroll
        for (int e = 0; e < Tile::elements_a_thread; ++e) own[e].fill(memory[tile.number_of(e)]);
        give_edges();
        give_outermost();
    }
    // All blocks are here, and no one reads this one's elements any more.
    __device__ void clear(Tile const& tile) const {
        for (int at = static_cast<int>(threadIdx.x); at < 2 * border_elements; at += static_cast<int>(blockDim.x))
            borders[(at / border_elements * most_tile_blocks + tile.number) * border_elements + at % border_elements].clear();
    }

    __device__ void end(Tile const&, int good_now) {
        changed = true;
        good = good_now;
        if (good < reads_away) {
            is_late = is_sent;
            if (!is_sent) {
                ++number;
                send();
            }
            is_sent = true;
        }
        if (!is_new) copy = bytes_of_copy - copy;
        is_new = true;
        if (good >= reads_away) give_edges();  // else `fetch` does
        give_outermost();
    }
    // The elements that nodes need which read neighbours; true if others see them after a barrier of the block.
    template <bool BesideWords = false, class Context>
    __device__ bool fetch(Tile const& tile, Context const& context) {
        if (good < reads_away) {
            if (is_late) {
                context.barrier_all.wait();  // everyone has read the last ones
                number += 2;
                send();
            }
            is_sent = is_late = false;
            if constexpr (BesideWords)
                receive_together();
            else
                receive();
            give_edges();
            good = tile.shape.overlap;
        }
        const bool was_new = is_new;
        is_new = false;
        return was_new;
    }

private:
    // Any values for rows beyond those that the block computes: functions are called with them, too.
    __device__ void give_outermost() const {
        T* const to = at_byte(edges + copy);
#pragma unroll
        for (int i = 0; i < by_rows; ++i)
#pragma unroll
            for (int c = 0; c < own_columns; ++c) {
                if (Tile::warp() == 0) own[c].write_back(to[i * all_columns + at_column(c)]);
                if (Tile::warp() == Tile::warps() - 1) own[c].write_back(to[(3 * by_rows + i) * all_columns + at_column(c)]);
            }
    }
    __device__ static int find_place(Tile const& tile, int e) {
        const int overlap = tile.shape.overlap, r = tile.row + e / own_columns - overlap, c = tile.column + e % own_columns - overlap, i = tile.first_row + r, j = tile.first_column + c;
        if (i < 0 || i >= tile.rows || j < 0 || j >= tile.columns) return unexchanged;
        const int down = r < 0 ? -1 : r >= tile.shape.height ? 1 : 0, across = c < 0 ? -1 : c >= tile.shape.width ? 1 : 0;
        const int within = tile_border::of_overlapping(tile.shape, r - down * tile.shape.height, c - across * tile.shape.width);
        if (within < 0) return unexchanged;
        const int place = (tile.number + down * tile.shape.across + across) * border_elements + within;
        return down == 0 && across == 0 ? place : unexchanged - 1 - place;
    }
    __device__ exchanged<T>* this_turn() const {
        exchanged<T>* all = borders + (number & 1) * (most_tile_blocks * border_elements);
        asm volatile("" : "+l"(all));  // the compiler would add the turn to each place
        return all;
    }
    __device__ void send() const {
        exchanged<T>* const all = this_turn();
#pragma unroll
        for (int e = 0; e < Tile::elements_a_thread; ++e)
            if (place_of[e] > unexchanged) all[place_of[e]].put(own[e].value, number);
    }
    // Threads with few elements read one after another, because many reads of what is not there yet slow those that write it. Others wait for one
    // element first: most of what a thread reads is of one thread, which sends it together.
    __device__ void receive() {
        const exchanged<T>* const sent = this_turn();
        if constexpr (Tile::elements_a_thread <= most_with_spare_registers) {
            unsigned missing;
            do {
                missing = 0;
#pragma unroll
                for (int e = 0; e < Tile::elements_a_thread; ++e)
                    if (place_of[e] < unexchanged) missing |= sent[unexchanged - 1 - place_of[e]].get(own[e].value, number) ? 0u : 1u;
            } while (missing != 0);
        } else {
            int last = unexchanged;
#pragma unroll
            for (int e = 0; e < Tile::elements_a_thread; ++e)
                if (place_of[e] < unexchanged) last = place_of[e];
            copy_of_element<T> first;
            if (last < unexchanged)
                while (!sent[unexchanged - 1 - last].get(first.value, number)) {}
            __syncwarp();
            receive_together();
        }
    }
    // Four reads are on their way together: faster where elements have mostly arrived, as beside the words of a result.
    __device__ void receive_together() {
        const exchanged<T>* const sent = this_turn();
        constexpr int together = 4;
#pragma unroll
        for (int first = 0; first < Tile::elements_a_thread; first += together) {
            typename exchanged<T>::found_words found[together] = {};
            bool arrived;
            do {
#pragma unroll
                for (int e = 0; e < together; ++e) sent[unexchanged - 1 - place_of[first + e]].ask_if(place_of[first + e] < unexchanged, found[e]);
                arrived = true;
#pragma unroll
                for (int e = 0; e < together; ++e) {
                    copy_of_element<T> value;
                    const bool has = exchanged<T>::value_of(found[e], value.value, number);
                    arrived = arrived && (has || place_of[first + e] >= unexchanged);
                    if (place_of[first + e] < unexchanged) own[first + e].fill(value.value);
                }
            } while (!arrived);
        }
        __syncwarp();
    }
};

}  // namespace cograph::core
