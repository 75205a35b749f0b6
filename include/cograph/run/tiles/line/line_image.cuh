// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tiles/tile_shape.hpp>
#include <cograph/run/kernel/parameter_pack.cuh>
#include <cograph/run/tiles/tile_of_block.cuh>

#include <new>

namespace cograph::core {

// Neighbours in the shared memory of a block, in one dimension. Inner: all are there, which `inside` then knows without a look.
template <class T, bool Inner, int Radius>
struct near_in_line {
    const T* at;
};
template <class T, bool Inner, int Radius>
__device__ neighbours<T, Radius> arrive(near_in_line<T, Inner, Radius> p, box_place<1> const& place) {
    constexpr index_t far = 1 << 20;
    if constexpr (Inner)
        return {p.at, box_place<1>{0, {far}, {2 * far}}};
    else
        return {p.at, place};
}

// A variable of one dimension whose neighbours are read: in shared memory, with the elements around the tile. Elements that other blocks read are in memory,
// too: two copies, used in turn, because a block may still read those of one turn while another one writes the next.
template <class T, class Kept, class Tile>
struct line_image {
    using element = T;
    static constexpr tile_border radius = Kept::radius;
    static constexpr int border_elements = radius.most(1);
    copy_of_element<T> next[Tile::elements_a_thread];
    T* memory;
    bool changed;
    bool stale;
    unsigned turn;
    int image_at, own_at;  // the offsets of the tile's first element, and of the thread's, in shared memory, in bytes
    T* borders;            // of all blocks

    COGRAPH_HD static constexpr tile_border reach() { return {0, radius.columns, 0}; }
    __device__ static T* at_byte(int byte) { return reinterpret_cast<T*>(tile_memory + byte); }
    __device__ T* image() const { return at_byte(image_at); }
    __device__ T* own() const { return at_byte(own_at); }
    // The compiler would keep the addresses of all elements from iteration to iteration, in more registers than there are.
    __device__ void find_again() { asm volatile("" : "+r"(own_at)); }
    __device__ int shared_bytes(Tile const& tile) const { return reach().shared_bytes(1, tile.shape, sizeof(T)); }

    __device__ void place(Tile const& tile, int shared, char* of_borders) {
        image_at = shared + radius.columns * static_cast<int>(sizeof(T));
        own_at = image_at + tile.column * static_cast<int>(sizeof(T));
        borders = reinterpret_cast<T*>(of_borders);
        stale = false;
        turn = 0;
    }
    __device__ void fill(Tile const& tile) {
        if (!Kept::filled || tile.height <= 0) return;
        for (int at = static_cast<int>(threadIdx.x) - radius.columns; at < tile.width + radius.columns; at += static_cast<int>(blockDim.x)) {
            const int j = tile.first_column + at;
            if (j >= 0 && j < tile.columns) ::new (static_cast<void*>(image() + at)) T(memory[j]);
        }
    }
    __device__ void write_back([[maybe_unused]] Tile const& tile) const {
        if constexpr (Kept::written) {
            if (!changed) return;
#pragma unroll
            for (int e = 0; e < Tile::elements_a_thread; ++e)
                if (tile.exists(e)) copy_of(own()[Tile::distance(e)]).write_back(memory[tile.number_of(e)]);
        }
    }
    __device__ void clear(Tile const&) const {}
    __device__ void begin(Tile const& tile) {
#pragma unroll
        for (int e = 0; e < Tile::elements_a_thread; ++e)
            if (tile.exists(e)) next[e].fill(own()[Tile::distance(e)]);
    }
    __device__ void end(Tile const& tile, int) {
        T* const to = borders + (turn * most_tile_blocks + tile.number) * border_elements;
#pragma unroll
        for (int e = 0; e < Tile::elements_a_thread; ++e) {
            if (!tile.exists(e)) continue;
            next[e].write_back(own()[Tile::distance(e)]);
            const int at = reach().of(tile.column + Tile::distance(e), tile.width);
            if (at >= 0) next[e].write_back(to[at]);
        }
        changed = stale = true;
    }
    template <class Context>
    __device__ bool fetch(Tile const& tile, Context const&) {
        if (!stale) return false;
        for (int at = static_cast<int>(threadIdx.x); at < 2 * radius.columns && tile.height > 0; at += static_cast<int>(blockDim.x)) {
            const int column = at < radius.columns ? at - radius.columns : tile.width + at - radius.columns, j = tile.first_column + column;
            if (j < 0 || j >= tile.columns) continue;
            const int block = j / tile.shape.width, first = block * tile.shape.width;
            const int within = reach().of(j - first, Tile::size(tile.columns, first, tile.shape.width));
            copy_of(borders[(turn * most_tile_blocks + block) * border_elements + within]).write_back(image()[column]);
        }
        stale = false;
        turn ^= 1;
        return true;
    }
    template <bool Inner, int E, int Radius>
    __device__ near_in_line<T, Inner, Radius> near() const {
        return {own() + Tile::distance(E)};
    }
    template <int E>
    __device__ pointer_to_copy<T> element_to_write() {
        return {&next[E].value};
    }
    template <int E>
    __device__ pointer_to_copy<const T> element_to_read(Tile const&) const {
        return {own() + Tile::distance(E)};
    }

private:
    __device__ static copy_of_element<T> copy_of(T const& element) {
        copy_of_element<T> copy;
        copy.fill(element);
        return copy;
    }
};

}  // namespace cograph::core
