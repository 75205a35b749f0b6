// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/overlapping_image.cuh>
#include <cograph/run/tiles/line/line_image.cuh>
#include <cograph/run/tiles/space/space_image.cuh>
#include <cograph/run/tiles/variants/halo.cuh>
#include <cograph/run/tiles/variants/large_image.cuh>

namespace cograph::core {

// A variable on chip with elements T that only their own threads use: a thread has its few elements in registers.
template <class T, class Kept, class Tile>
struct own_elements {
    using element = T;
    copy_of_element<T> own[Tile::elements_a_thread];
    T* memory;
    bool changed;
    int good = Tile::overlaps ? most_overlap : 0;  // rows and columns around the tile that are right

    __device__ void fill(Tile const& tile) {
#pragma unroll
        for (int e = 0; e < Tile::elements_a_thread; ++e)
            if (Kept::filled && tile.exists(e)) own[e].fill(memory[tile.number_of(e)]);
    }
    __device__ void write_back([[maybe_unused]] Tile const& tile) const {
        if constexpr (Kept::written) {
            if (!changed) return;
#pragma unroll
            for (int e = 0; e < Tile::elements_a_thread; ++e)
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

// Of a variable that a copy passes to an image (plan/tiles/loop/passed_variables.hpp): one row of the thread, which others follow.
template <class T, class Kept, class Tile>
struct passed_elements {
    using element = T;
    static constexpr int passed_to = Kept::passed_to;
    copy_of_element<T> own[Tile::own_columns];
    T* memory;
    bool changed;

    __device__ void fill(Tile const&) {}
    __device__ void find_again() {}
    __device__ void begin(Tile const&) {}
    __device__ void end(Tile const&, int) { changed = true; }
    // A row begins with elements of the image, so that those of the row before do not last.
    template <int Row, class Image>
    __device__ void begin_row(Image const& image) {
#pragma unroll
        for (int c = 0; c < Tile::own_columns; ++c) own[c].fill(image.own[Row * Tile::own_columns + c].value);
    }
    template <int E>
    __device__ pointer_to_copy<T> element_to_write() {
        return {&own[E % Tile::own_columns].value};
    }
    template <int E>
    __device__ pointer_to_copy<const T> element_to_read(Tile const&) const {
        return {&own[E % Tile::own_columns].value};
    }
};

// The same of threads with many elements: in shared memory.
template <class T, class Kept, class Tile>
struct shared_elements {
    using element = T;
    static constexpr int border_elements = 0, threads = box_order::warps * box_order::lanes;
    T* memory;
    int at;  // the offset of the thread's first element, in bytes
    bool changed;
    int good = Tile::overlaps ? most_overlap : 0;

    __device__ int shared_bytes(Tile const&) const { return Tile::elements_a_thread * threads * static_cast<int>(sizeof(T)); }
    __device__ void place(Tile const&, int shared, char*) { at = shared + static_cast<int>(threadIdx.x * sizeof(T)); }
    template <class F>
    __device__ void each(Tile const& tile, F f) const {
#pragma unroll
        for (int e = 0; e < Tile::elements_a_thread; ++e)
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

// The second of two variables that take turns, in large tiles: its memory, to which the first one writes.
template <class T>
struct second_of_turns {
    using element = T;
    T* memory;
    bool changed;

    template <class Tile>
    __device__ void fill(Tile const&) {}
    template <class Tile>
    __device__ void write_back(Tile const&) const {}
    __device__ void find_again() {}
    template <int Row, class Tile>
    __device__ void load(Tile const&) {}
};

// The class of a variable on chip, by the rank of the box, the kind of its tiles, and how the variable is used.
template <class T, class Kept, class Tile>
using image_by_exchange = choose<Kept::halo == halo_kind::computed, image_with_computed_halo<T, Kept, Tile>, tile_image<T, Kept, Tile>>;
template <class T, class Kept, class Tile>
using flat_image = choose<Tile::is_large, large_image<T, Kept, Tile>, choose<Tile::overlaps, overlapping_image<T, Kept, Tile>, image_by_exchange<T, Kept, Tile>>>;
template <class T, class Kept, class Tile>
using chip_image = choose<Tile::rank == 1, line_image<T, Kept, Tile>, choose<Tile::rank == 2, flat_image<T, Kept, Tile>, space_image<T, Kept, Tile>>>;
template <class T, class Kept, class Tile>
using elements_of_rows = choose<(Kept::passed_to >= 0) && !Tile::overlaps && (Tile::elements_a_thread > most_with_spare_registers), passed_elements<T, Kept, Tile>, own_elements<T, Kept, Tile>>;
template <class T, class Kept, class Tile>
using elements_of_tile = choose<Kept::shared && Tile::elements_a_thread == box_order::many, shared_elements<T, Kept, Tile>, elements_of_rows<T, Kept, Tile>>;
template <class T, class Kept, class Tile>
using chip_elements = choose<Kept::halo == halo_kind::not_kept, elements_of_tile<T, Kept, Tile>, elements_with_halo<T, Kept, Tile, elements_of_tile<T, Kept, Tile>>>;
template <class T, class Kept, class Tile>
using chip_memory = choose<Kept::is_second, second_of_turns<T>, choose<Kept::image, chip_image<T, Kept, Tile>, chip_elements<T, Kept, Tile>>>;

}  // namespace cograph::core
