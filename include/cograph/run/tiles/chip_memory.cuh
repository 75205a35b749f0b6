// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/deep_image.cuh>
#include <cograph/run/tiles/space/space_image.cuh>
#include <cograph/run/tiles/variants/around_tile.cuh>
#include <cograph/run/tiles/variants/large_image.cuh>

namespace cograph::core {

// A variable on chip with elements T that only their own threads use: a thread has its few elements in registers.
template <class T, class Kept, class Tile>
struct own_elements {
    using element = T;
    copy_of_element<T> own[Tile::few];
    T* memory;
    bool changed;
    int good = Tile::ghost;  // rows and columns around the tile that are right

    __device__ void fill(Tile const& tile) {
#pragma unroll
        for (int e = 0; e < Tile::few; ++e)
            if (Kept::filled && tile.exists(e)) own[e].fill(memory[tile.number_of(e)]);
    }
    __device__ void write_back([[maybe_unused]] Tile const& tile) const {
        if constexpr (Kept::written) {
            if (!changed) return;
#pragma unroll
            for (int e = 0; e < Tile::few; ++e)
                if (tile.is_of_tile(e)) own[e].write_back(memory[tile.number_of(e)]);
        }
    }
    __device__ void find_again() {}
    __device__ void begin(Tile const&) {}
    __device__ void end(Tile const&, int good_now) {
        changed = true;
        good = good_now;
    }

    __device__ T const& own_element(int e) const { return own[e].value; }
    template <int E>
    __device__ pointer_to_copy<T> element_to_write() {
        return {&own[E].value};
    }
    template <int E>
    __device__ pointer_to_copy<const T> element_to_read(Tile const&) const {
        return {&own[E].value};
    }
};

// Such a variable of threads with many elements, in shared memory.
template <class T, class Kept, class Tile>
struct shared_elements {
    using element = T;
    static constexpr int border_elements = 0, threads = box_order::warps * box_order::lanes;
    T* memory;
    int at;  // the offset of the thread's first element, in bytes
    bool changed;
    int good = Tile::ghost;

    __device__ int shared_bytes(Tile const&) const { return Tile::few * threads * static_cast<int>(sizeof(T)); }
    __device__ void place(Tile const&, int shared, char*) { at = shared + static_cast<int>(threadIdx.x * sizeof(T)); }
    template <class F>
    __device__ void each(Tile const& tile, F f) const {
#pragma unroll
        for (int e = 0; e < Tile::few; ++e)
            if (tile.exists(e)) f(own(e), memory[tile.number_of(e)]);
    }
    __device__ void fill([[maybe_unused]] Tile const& tile) {
        if constexpr (Kept::filled) each(tile, [](T& here, T const& there) { ::new (static_cast<void*>(&here)) T(there); });
    }
    __device__ void write_back([[maybe_unused]] Tile const& tile) const {
        if constexpr (Kept::written) {
            if (!changed) return;
            each(tile, [](T const& here, T& there) {
                copy_of_element<T> copy;
                copy.fill(here);
                copy.write_back(there);
            });
        }
    }
    __device__ void find_again() {}
    __device__ void begin(Tile const&) {}
    __device__ void end(Tile const&, int) { changed = true; }
    __device__ T const& own_element(int e) const { return own(e); }
    template <int E>
    __device__ pointer_to_copy<T> element_to_write() {
        return {&own(E)};
    }
    template <int E>
    __device__ pointer_to_copy<const T> element_to_read(Tile const&) const {
        return {&own(E)};
    }

private:
    __device__ T& own(int e) const { return *reinterpret_cast<T*>(tile_memory + at + e * threads * static_cast<int>(sizeof(T))); }
};

// A variable of one dimension whose neighbours are read: in shared memory, with the elements around the tile. Elements that other blocks read are in memory,
// too: two copies, used in turn, because a block may still read those of one turn while another one writes the next.
template <class T, class Kept, class Tile>
struct line_image {
    using element = T;
    static constexpr tile_border around = Kept::around;
    static constexpr int border_elements = around.most(1);
    copy_of_element<T> next[Tile::few];
    T* memory;
    bool changed;
    bool stale;
    unsigned turn;
    int image_at, own_at;  // the offsets of the tile's first element, and of the thread's, in shared memory, in bytes
    T* borders;            // of all blocks

    COGRAPH_HD static constexpr tile_border reach() { return {0, around.columns, 0}; }
    __device__ static T* at_byte(int byte) { return reinterpret_cast<T*>(tile_memory + byte); }
    __device__ T* image() const { return at_byte(image_at); }
    __device__ T* own() const { return at_byte(own_at); }
    // The compiler would keep the addresses of all elements from iteration to iteration, in more registers than there are.
    __device__ void find_again() { asm volatile("" : "+r"(own_at)); }
    __device__ int shared_bytes(Tile const& tile) const { return reach().shared_bytes(1, tile.shape, sizeof(T)); }

    __device__ void place(Tile const& tile, int shared, char* of_borders) {
        image_at = shared + around.columns * static_cast<int>(sizeof(T));
        own_at = image_at + tile.column * static_cast<int>(sizeof(T));
        borders = reinterpret_cast<T*>(of_borders);
        stale = false;
        turn = 0;
    }
    __device__ void fill(Tile const& tile) {
        if (!Kept::filled || tile.height <= 0) return;
        for (int at = static_cast<int>(threadIdx.x) - around.columns; at < tile.width + around.columns; at += static_cast<int>(blockDim.x)) {
            const int j = tile.first_column + at;
            if (j >= 0 && j < tile.columns) ::new (static_cast<void*>(image() + at)) T(memory[j]);
        }
    }
    __device__ void write_back([[maybe_unused]] Tile const& tile) const {
        if constexpr (Kept::written) {
            if (!changed) return;
#pragma unroll
            for (int e = 0; e < Tile::few; ++e)
                if (tile.exists(e)) copy_of(own()[Tile::distance(e)]).write_back(memory[tile.number_of(e)]);
        }
    }
    __device__ void clear(Tile const&) const {}
    __device__ void begin(Tile const& tile) {
#pragma unroll
        for (int e = 0; e < Tile::few; ++e)
            if (tile.exists(e)) next[e].fill(own()[Tile::distance(e)]);
    }
    __device__ void end(Tile const& tile, int) {
        T* const to = borders + (turn * most_tile_blocks + tile.number) * border_elements;
#pragma unroll
        for (int e = 0; e < Tile::few; ++e) {
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
        for (int at = static_cast<int>(threadIdx.x); at < 2 * around.columns && tile.height > 0; at += static_cast<int>(blockDim.x)) {
            const int column = at < around.columns ? at - around.columns : tile.width + at - around.columns, j = tile.first_column + column;
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

template <class T, class Kept, class Tile>
using image_by_exchange = choose<Kept::beyond == around_tile::computed, image_computed_around<T, Kept, Tile>, tile_image<T, Kept, Tile>>;
template <class T, class Kept, class Tile>
using flat_image = choose<Tile::is_large, large_image<T, Kept, Tile>, choose<(Tile::ghost > 0), deep_image<T, Kept, Tile>, image_by_exchange<T, Kept, Tile>>>;
template <class T, class Kept, class Tile>
using chip_image = choose<Tile::rank == 1, line_image<T, Kept, Tile>, choose<Tile::rank == 2, flat_image<T, Kept, Tile>, space_image<T, Kept, Tile>>>;
template <class T, class Kept, class Tile>
using elements_of_tile = choose<Kept::shared && Tile::few == box_order::many, shared_elements<T, Kept, Tile>, own_elements<T, Kept, Tile>>;
template <class T, class Kept, class Tile>
using chip_elements = choose<Kept::beyond == around_tile::not_kept, elements_of_tile<T, Kept, Tile>, elements_with_around<T, Kept, Tile, elements_of_tile<T, Kept, Tile>>>;
template <class T, class Kept, class Tile>
using chip_memory = choose<Kept::image, chip_image<T, Kept, Tile>, chip_elements<T, Kept, Tile>>;

}  // namespace cograph::core
