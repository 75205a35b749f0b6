// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/persistent/tile_program.hpp>
#include <cograph/run/kernel/parameter_pack.cuh>
#include <cograph/run/tiles/tile_of_block.cuh>

namespace cograph::core {

// Neighbours that are on chip. Inner: all are there, which `inside` then knows without a look.
template <class T, bool Inner, int... Radius>
struct near_on_chip {
    const T* at;
    int pitch;
};
template <class T, bool Inner, int... Radius>
__device__ neighbours<T, Radius...> arrive(near_on_chip<T, Inner, Radius...> p, box_place<sizeof...(Radius)> const& place) {
    constexpr index_t far = 1 << 20;
    if constexpr (Inner && sizeof...(Radius) == 1)
        return {p.at, box_place<1>{0, {far}, {2 * far}}, p.pitch};
    else if constexpr (Inner)
        return {p.at, box_place<2>{0, {far, far}, {2 * far, 2 * far}}, p.pitch};
    else
        return {p.at, place, p.pitch};
}

// The same if some are missing: all are read at once, so that the function object's work with them needs no branches.
template <class T, int... Radius>
struct near_window {
    static constexpr int around[] = {Radius...};
    static constexpr int rows = sizeof...(Radius) == 1 ? 1 : 2 * around[0] + 1, columns = 2 * around[sizeof...(Radius) - 1] + 1;
    static constexpr bool is_small = rows * columns <= 25;
    copy_of_element<T> all[rows * columns];

    __device__ near_window(const T* at, int pitch) {
#pragma unroll
        for (int i = 0; i < rows; ++i)
#pragma unroll
            for (int j = 0; j < columns; ++j) all[i * columns + j].fill(at[(i - rows / 2) * pitch + j - columns / 2]);
    }
};
template <class T, int... Radius>
__device__ neighbours<T, Radius...> arrive(near_window<T, Radius...> const& p, box_place<sizeof...(Radius)> const& place) {
    using window = near_window<T, Radius...>;
    return {&p.all[window::rows / 2 * window::columns + window::columns / 2].value, place, window::columns};
}

extern __shared__ char tile_memory[];

// A variable on chip, elements T. In registers: a thread's few.
template <class T, class Kept, class Tile, bool Image = Kept::image>
struct chip_memory {
    using element = T;
    copy_of_element<T> own[Tile::few];
    T* memory;
    bool changed;

    __device__ void fill(Tile const& tile) {
#pragma unroll
        for (int r = 0; r < Tile::few; ++r)
            if (Kept::filled && r < tile.mine) own[r].fill(memory[tile.number_of(r)]);
    }
    __device__ void write_back(Tile const& tile) const {
        if (!Kept::written || !changed) return;
#pragma unroll
        for (int r = 0; r < Tile::few; ++r)
            if (r < tile.mine) own[r].write_back(memory[tile.number_of(r)]);
    }
    __device__ void find_again() {}
    // Before nodes that write it, and after them.
    __device__ void begin(Tile const&) {}
    __device__ void end(Tile const&) { changed = true; }
    // The elements around the tile, if they are out of date; true if they were.
    __device__ bool fetch(Tile const&) { return false; }

    template <int R>
    __device__ pointer_to_copy<T> element_to_write() {
        return {&own[R].value};
    }
    template <int R>
    __device__ pointer_to_copy<const T> element_to_read(Tile const&) const {
        return {&own[R].value};
    }
};

// In shared memory, with the elements around the tile. Elements that other blocks read are in memory, too: two
// copies, used in turn, because a block may still read those of one turn while another one writes the next.
template <class T, class Kept, class Tile>
struct chip_memory<T, Kept, Tile, true> {
    using element = T;
    static constexpr tile_border around = Kept::around;
    static constexpr int border_elements = around.most(Tile::rank);
    copy_of_element<T> next[Tile::few];
    T* memory;
    bool changed;
    bool stale;
    unsigned turn;
    int pitch;
    int image_at, own_at;  // the offsets of the tile's first element, and of the thread's, in shared memory, in bytes
    T* borders;            // of all blocks
    unsigned in_rows;  // a bit for each element of the thread's that is in a row which other blocks read
    int in_columns;    // the position of the first of its elements among the borders, if they are in such a column; or -1
    int first_to, first_from;  // the first element around the tile that this thread fetches: target and source, or -1

    __device__ static T* at_byte(int byte) { return reinterpret_cast<T*>(tile_memory + byte); }
    __device__ T* image() const { return at_byte(image_at); }
    __device__ T* own() const { return at_byte(own_at); }
    // The compiler would keep the addresses of all elements from iteration to iteration, in more registers than there are.
    __device__ void find_again() { asm volatile("" : "+r"(own_at), "+r"(pitch)); }

    __device__ void place(Tile const& tile, int shared, char* of_borders) {
        pitch = tile.shape.width + 2 * around.columns;
        image_at = shared + (around.rows * pitch + around.columns) * static_cast<int>(sizeof(T));
        own_at = image_at + (tile.row * pitch + tile.column) * static_cast<int>(sizeof(T));
        borders = reinterpret_cast<T*>(of_borders);
        stale = false;
        turn = 0;
        look_around(tile, static_cast<int>(threadIdx.x), first_to, first_from);
        in_rows = 0;
        for (int r = 0; r < tile.mine; ++r) {
            const int row = tile.row + Tile::down(r);
            if (row < around.rows || tile.height - row <= around.rows) in_rows |= 1u << r;
        }
        // As that of an element in no such row.
        in_columns = tile.mine > 0 ? tile_border{0, around.columns}.of(tile.shape, tile.row, tile.column, tile.height, tile.width) : -1;
        if (in_columns >= 0) in_columns += 2 * around.rows * tile.shape.width;
    }
    __device__ void fill(Tile const& tile) {
        if (!Kept::filled || tile.height <= 0) return;
        const int wide = tile.width + 2 * around.columns, all = wide * (tile.height + 2 * around.rows);
        for (int at = static_cast<int>(threadIdx.x); at < all; at += static_cast<int>(blockDim.x)) {
            const int row = at / wide - around.rows, column = at % wide - around.columns;
            const int i = tile.first_row + row, j = tile.first_column + column;
            if (i >= 0 && i < tile.rows && j >= 0 && j < tile.columns) ::new (static_cast<void*>(image() + row * pitch + column)) T(memory[index_t{i} * tile.columns + j]);
        }
    }
    __device__ void write_back(Tile const& tile) const {
        if (!Kept::written || !changed) return;
#pragma unroll
        for (int r = 0; r < Tile::few; ++r)
            if (r < tile.mine) copy_of(own()[distance(r)]).write_back(memory[tile.number_of(r)]);
    }
    __device__ void begin(Tile const& tile) {
#pragma unroll
        for (int r = 0; r < Tile::few; ++r)
            if (r < tile.mine) next[r].fill(own()[distance(r)]);
    }
    __device__ void end(Tile const& tile) {
        T* const to = borders_of(tile.number);
#pragma unroll
        for (int r = 0; r < Tile::few; ++r)
            if (r < tile.mine) next[r].write_back(own()[distance(r)]);
        if (Tile::rank == 1 || in_rows != 0) {
#pragma unroll
            for (int r = 0; r < Tile::few; ++r) {
                if (Tile::rank == 1 ? r >= tile.mine : (in_rows >> r & 1) == 0) continue;
                const int at = tile_border{around.rows, around.columns}.of(tile.shape, tile.row + Tile::down(r), tile.column + Tile::across(r), tile.height, tile.width);
                if (at >= 0) next[r].write_back(to[at]);
            }
        }
        if (Tile::rank == 2 && in_columns >= 0) {
#pragma unroll
            for (int r = 0; r < Tile::few; ++r)
                if (r < tile.mine && (in_rows >> r & 1) == 0) next[r].write_back(to[in_columns + r * around.columns]);
        }
        changed = stale = true;
    }
    __device__ bool fetch(Tile const& tile) {
        if (!stale) return false;
        const T* const from = borders_of(0);
        if (first_from >= 0) copy_of(from[first_from]).write_back(image()[first_to]);
        const int all = elements_around(tile);
        for (int at = static_cast<int>(threadIdx.x + blockDim.x); at < all; at += static_cast<int>(blockDim.x)) {
            int to, found;
            look_around(tile, at, to, found);
            if (found >= 0) copy_of(from[found]).write_back(image()[to]);
        }
        stale = false;
        turn ^= 1;
        return true;
    }

    template <int R>
    __device__ pointer_to_copy<T> element_to_write() {
        return {&next[R].value};
    }
    template <int R>
    __device__ pointer_to_copy<const T> element_to_read(Tile const&) const {
        return {own() + distance(R)};
    }
    __device__ int distance(int r) const { return Tile::down(r) * pitch + Tile::across(r); }

private:
    __device__ static copy_of_element<T> copy_of(T const& element) {
        copy_of_element<T> copy;
        copy.fill(element);
        return copy;
    }
    __device__ T* borders_of(int block) const { return borders + (turn * most_tile_blocks + block) * border_elements; }
    __device__ static int elements_around(Tile const& tile) {
        return tile.height <= 0 ? 0 : 2 * around.rows * (tile.width + 2 * around.columns) + 2 * around.columns * tile.height;
    }
    // The element around the tile with number `at`: its place in the image, and among the borders of all blocks, or
    // -1.
    __device__ void look_around(Tile const& tile, int at, int& to, int& from) const {
        from = -1;
        to = 0;
        if (at >= elements_around(tile)) return;
        const int wide = tile.width + 2 * around.columns;
        int row, column;
        if (at < 2 * around.rows * wide) {
            row = at / wide;
            row = row < around.rows ? row - around.rows : tile.height + row - around.rows;
            column = at % wide - around.columns;
        } else {
            at -= 2 * around.rows * wide;
            constexpr int both = around.columns > 0 ? 2 * around.columns : 1;
            row = at / both;
            column = at % both;
            column = column < around.columns ? column - around.columns : tile.width + column - around.columns;
        }
        to = row * pitch + column;
        const int i = tile.first_row + row, j = tile.first_column + column;
        if (i < 0 || i >= tile.rows || j < 0 || j >= tile.columns) return;
        const int down = i / tile.shape.height, across = j / tile.shape.width;
        const int first_row = down * tile.shape.height, first_column = across * tile.shape.width;
        const int within = tile_border{around.rows, around.columns}.of(tile.shape, i - first_row, j - first_column, Tile::size(tile.rows, first_row, tile.shape.height),
                                     Tile::size(tile.columns, first_column, tile.shape.width));
        from = (down * tile.shape.across + across) * border_elements + within;
    }
};

}  // namespace cograph::core
