// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/kernel/box/near_in_space.cuh>
#include <cograph/run/tiles/held_rows.cuh>
#include <cograph/run/tiles/space/tile_in_space.cuh>

#include <cstring>

namespace cograph::core {

// A variable of three dimensions whose neighbours are read: in shared memory, with the elements around the tile. Elements that other blocks read are in
// memory, too, in two copies, as in one dimension.
template <class T, class Kept, class Tile>
struct space_image {
    using element = T;
    static constexpr tile_border radius = Kept::radius;
    static constexpr int border_elements = radius.most(3), by_planes = radius.planes, by_rows = radius.rows, by_columns = radius.columns;
    static constexpr int row_pitch = space_width + 2 * by_columns, plane_pitch = (space_height + 2 * by_rows) * row_pitch;
    T* memory;
    bool changed;
    bool stale;
    bool being_sent;  // by threads that have not met since
    unsigned turn;
    int own_at;  // the offset of the thread's first element in shared memory, in bytes
    T* borders;  // of all blocks

    COGRAPH_HD static constexpr tile_border reach() { return {by_rows, by_columns, by_planes}; }
    __device__ T* own() const { return reinterpret_cast<T*>(tile_memory + own_at); }
    __device__ void find_again() { asm volatile("" : "+r"(own_at)); }
    __device__ int shared_bytes(Tile const& tile) const { return reach().shared_bytes(3, tile.shape, sizeof(T)); }

    __device__ void place(Tile const& tile, int shared, char* of_borders) {
        own_at = shared + (by_planes * plane_pitch + (by_rows + tile.row) * row_pitch + by_columns + tile.column) * static_cast<int>(sizeof(T));
        borders = reinterpret_cast<T*>(of_borders);
        stale = being_sent = false;
        turn = 0;
        find_edges(tile, std::make_integer_sequence<int, at_edges_of_thread>{});
    }
    __device__ void fill(Tile const& tile) {
        if (!Kept::filled) return;
        T* const first = own() - tile.row * row_pitch - tile.column;
        for (int p = -by_planes; p < tile.height + by_planes; ++p)
            for (int at = static_cast<int>(threadIdx.x); at < plane_pitch; at += space_threads) {
                const int i = at / row_pitch - by_rows, j = at % row_pitch - by_columns;
                if (tile.height > 0 && in_box(tile, p, i, j)) ::new (static_cast<void*>(first + p * plane_pitch + i * row_pitch + j)) T(memory[number_of(tile, p, i, j)]);
            }
    }
    __device__ void write_back(Tile const& tile) const {
        if constexpr (Kept::written)
            for (int e = 0; changed && e < tile.own; ++e) copy_of(own()[e * plane_pitch]).write_back(memory[tile.number_of(e)]);
    }
    // No node reads neighbours of what others of its phase write.
    __device__ void begin(Tile const&) {
        if (being_sent) __syncthreads();
        being_sent = false;
    }
    __device__ void end(Tile const& tile, int) {
        send(tile);
        changed = stale = being_sent = true;
    }
    template <class Context>
    __device__ bool fetch(Tile const& tile, Context const&) {
        if (!stale) return false;
        if (tile.height > 0) receive(tile);
        stale = being_sent = false;  // blocks have met
        turn ^= 1;
        return true;
    }
    template <bool Inner, int E, int Planes, int Rows, int Columns>
    __device__ near_in_space<T, Inner, Planes, Rows, Columns> near() const {
        return {own() + E * plane_pitch, plane_pitch, row_pitch};
    }
    template <int E>
    __device__ pointer_to_copy<T> element_to_write() {
        return {own() + E * plane_pitch};
    }
    template <int E>
    __device__ pointer_to_copy<const T> element_to_read(Tile const&) const {
        return {own() + E * plane_pitch};
    }

private:
    __device__ static copy_of_element<T> copy_of(T const& element) {
        copy_of_element<T> copy;
        copy.fill(element);
        return copy;
    }
    // Of an element in or around the tile.
    __device__ static bool in_box(Tile const& tile, int p, int i, int j) {
        return tile.first_plane + p >= 0 && tile.first_plane + p < tile.planes && tile.first_row + i >= 0 && tile.first_row + i < tile.rows && tile.first_column + j >= 0 &&
               tile.first_column + j < tile.columns;
    }
    __device__ static index_t number_of(Tile const& tile, int p, int i, int j) { return (index_t{tile.first_plane + p} * tile.rows + tile.first_row + i) * tile.columns + tile.first_column + j; }

    __device__ T* this_turn(int block) const { return borders + (turn * most_tile_blocks + static_cast<unsigned>(block)) * border_elements; }

    // Elements at the sides of a tile, dealt to the threads: planes, rows and columns. Those that the block sends are inside of it, and those that it receives
    // outside. Beyond its last side are the first elements of another block, and beyond its first side the last ones of one. They have the numbers that they have there.
    static constexpr int planes_of_thread = 2 * by_planes, rows_of_warp = quotient_up(Tile::elements_a_thread * 2 * by_rows, space_height), columns_of_thread = 2 * by_columns * quotient_up(Tile::elements_a_thread, tile_lanes);
    static constexpr int at_sides_of_thread = planes_of_thread + rows_of_warp + columns_of_thread;
    struct at_side {
        int plane, row, column;  // in or around the tile
        int block, number;       // of the element among all that others read
        bool there;
    };
    template <bool Sends>
    __device__ static int along(int side, int by, int length) {
        return side < by ? (Sends ? side : side - by) : (Sends ? length - 2 * by + side : length + side - by);
    }
    template <bool Sends>
    __device__ static int number_of_side(int side, int by) {
        return Sends ? side : side < by ? side + by : side - by;
    }
    template <bool Sends>
    __device__ static bool has_beyond(int side, int by, int first, int length, int all) {
        return side < by ? first > 0 : first + length + (Sends ? 0 : side - by) < all;
    }
    template <bool Sends, int N>
    __device__ static at_side find_side(Tile const& tile) {
        const int planes = tile.shape.planes, across = tile.shape.across;
        if constexpr (N < planes_of_thread) {
            const int plane = along<Sends>(N, by_planes, planes), beyond = N < by_planes ? -1 : 1;
            return {plane, tile.row, tile.column, tile.number + (Sends ? 0 : beyond * across * tile.shape.down), reach().of_plane(number_of_side<Sends>(N, by_planes), tile.row, tile.column),
                    tile.own > 0 && (!Sends || plane < tile.height) && has_beyond<Sends>(N, by_planes, tile.first_plane, planes, tile.planes)};
        } else if constexpr (N < planes_of_thread + rows_of_warp) {
            constexpr unsigned rows_of_plane = 2 * by_rows;
            static_assert(space_height % rows_of_plane == 0);
            const unsigned of_warp = static_cast<unsigned>(tile.row);
            const int plane = (N - planes_of_thread) * (space_height / by_rows / 2) + static_cast<int>(of_warp / rows_of_plane), side = static_cast<int>(of_warp % rows_of_plane);
            const int row = along<Sends>(side, by_rows, space_height);
            return {plane, row, tile.column, tile.number + (Sends ? 0 : side < by_rows ? -across : across), reach().of_row(plane, number_of_side<Sends>(side, by_rows), tile.column),
                    plane < tile.height && tile.first_column + tile.column < tile.columns && (!Sends || tile.first_row + row < tile.rows) &&
                        has_beyond<Sends>(side, by_rows, tile.first_row, space_height, tile.rows)};
        } else {
            constexpr int n = N - planes_of_thread - rows_of_warp, side = n % (2 * by_columns);
            const int plane = static_cast<int>(threadIdx.x / space_height) + n / (2 * by_columns) * tile_lanes, row = static_cast<int>(threadIdx.x % space_height), column = along<Sends>(side, by_columns, space_width);
            return {plane, row, column, tile.number + (Sends ? 0 : side < by_columns ? -1 : 1), reach().of_column(plane, row, number_of_side<Sends>(side, by_columns)),
                    plane < tile.height && tile.first_row + row < tile.rows && (!Sends || tile.first_column + column < tile.columns) &&
                        has_beyond<Sends>(side, by_columns, tile.first_column, space_width, tile.columns)};
        }
    }
    // Threads send elements of others, too.
    __device__ void send(Tile const& tile) const {
        __syncthreads();
        if (tile.height > 0) send(tile, std::make_integer_sequence<int, at_sides_of_thread>{});
    }
    template <int... N>
    __device__ void send(Tile const& tile, std::integer_sequence<int, N...>) const {
        (send(tile, find_side<true, N>(tile)), ...);
    }
    __device__ void send(Tile const& tile, at_side const& from) const {
        if (from.there) copy_of(*in_image(tile, from.plane, from.row, from.column)).write_back(this_turn(tile.number)[from.number]);
    }
    __device__ T* in_image(Tile const& tile, int plane, int row, int column) const { return own() + plane * plane_pitch + (row - tile.row) * row_pitch + column - tile.column; }

    // Elements around a tile that are beyond two sides or three.
    static constexpr int at_edges = 2 * by_planes * 2 * by_rows * (space_width + 2 * by_columns) + (2 * by_planes * space_height + Tile::elements_a_thread * 2 * by_rows) * 2 * by_columns;
    static constexpr int at_edges_of_thread = quotient_up(at_edges, space_threads);
    __device__ static at_side find_edge(Tile const& tile, int at) {
        constexpr int wide = space_width + 2 * by_columns, of_rows = 2 * by_planes * 2 * by_rows * wide, of_planes = 2 * by_planes * space_height * 2 * by_columns;
        constexpr int ends = by_rows > 0 ? 2 * by_rows : 1, sides = by_columns > 0 ? 2 * by_columns : 1;
        const int planes = tile.shape.planes;
        int plane, row, column;
        bool there = at < at_edges;
        if (at < of_rows) {
            plane = along<false>(at / wide / ends, by_planes, planes);
            row = along<false>(at / wide % ends, by_rows, space_height);
            column = at % wide - by_columns;
        } else {
            at -= of_rows;
            column = along<false>(at % sides, by_columns, space_width);
            const int line = (at < of_planes ? at : at - of_planes) / sides;
            plane = at < of_planes ? along<false>(line / space_height, by_planes, planes) : line / ends;
            row = at < of_planes ? line % space_height : along<false>(line % ends, by_rows, space_height);
            there = there && plane < (at < of_planes ? planes + by_planes : tile.height);
        }
        there = there && in_box(tile, plane, row, column);
        const int behind = side_of(plane, planes), down = side_of(row, space_height), across = side_of(column, space_width);
        const int p = plane - behind * planes, i = row - down * space_height, j = column - across * space_width;  // of the tile there
        return {plane, row, column, tile.number + (behind * tile.shape.down + down) * tile.shape.across + across,
                behind != 0 ? reach().of_plane(behind < 0 ? p - (planes - 2 * by_planes) : p, i, j) : reach().of_row(p, down < 0 ? i - (space_height - 2 * by_rows) : i, j), there};
    }
    struct edge_to_fetch {
        int image, number;  // offset from the thread's first element; -1: no such element
    };
    edge_to_fetch edges[at_edges_of_thread + 1];
    template <int... Edge>
    __device__ void find_edges(Tile const& tile, std::integer_sequence<int, Edge...>) {
        const auto fetched = [&](at_side const& from) {
            const int offset = from.plane * plane_pitch + (from.row - tile.row) * row_pitch + from.column - tile.column;
            return edge_to_fetch{offset, from.there ? from.block * border_elements + from.number : -1};
        };
        ((edges[Edge] = fetched(find_edge(tile, static_cast<int>(threadIdx.x) + Edge * space_threads))), ...);
    }
    __device__ static int side_of(int at, int length) { return at < 0 ? -1 : at >= length ? 1 : 0; }

    // All reads of a thread are on their way together.
    __device__ void receive(Tile const& tile) {
        receive(tile, std::make_integer_sequence<int, at_sides_of_thread>{}, std::make_integer_sequence<int, at_edges_of_thread>{});
    }
    template <int... N, int... Edge>
    __device__ void receive(Tile const& tile, std::integer_sequence<int, N...>, std::integer_sequence<int, Edge...>) {
        const at_side places[] = {find_side<false, N>(tile)..., {}};
        copy_of_element<T> found[at_sides_of_thread + 1], found_at_edges[at_edges_of_thread + 1];
        const T* const all_blocks = this_turn(0);
        const auto none = [](copy_of_element<T>& of) { memset(static_cast<void*>(&of), 0, sizeof of); };  // otherwise registers keep the value of an earlier iteration
        ((places[N].there ? found[N].fill(this_turn(places[N].block)[places[N].number]) : none(found[N])), ...);
        ((edges[Edge].number >= 0 ? found_at_edges[Edge].fill(all_blocks[edges[Edge].number]) : none(found_at_edges[Edge])), ...);
        ((places[N].there ? found[N].write_back(*in_image(tile, places[N].plane, places[N].row, places[N].column)) : void()), ...);
        ((edges[Edge].number >= 0 ? found_at_edges[Edge].write_back(own()[edges[Edge].image]) : void()), ...);
    }
};

}  // namespace cograph::core
