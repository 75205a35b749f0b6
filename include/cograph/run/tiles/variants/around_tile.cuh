// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/tile_image.cuh>

namespace cograph::core {

// Variables on chip of which a thread has an element around the tile, too (plan/tiles/elements_around.hpp). Some threads have none.

// The one of this thread: its number in the box, and its place among what blocks send; -1 if there is none.
struct element_around {
    index_t number;
    int from;

    template <class Image, class Tile>
    __device__ static element_around find(word<Image>, Tile const& tile) {
        Image image;
        image.all_edges = image.all_sides = 0;
        element_around found;
        int to;
        image.look_around(tile, Image::fetched_first(), to, found.from, found.number);
        return found;
    }
};

// A variable whose neighbours are read: its elements around the tile are computed.
template <class T, class Kept, class Tile>
struct image_computed_around : tile_image<T, Kept, Tile> {
    using image = tile_image<T, Kept, Tile>;
    using image::memory, image::changed, image::copy, image::number, image::stale, image::bytes_of_copy, image::first_to, image::at_byte, image::give_edges;
    static constexpr int border_elements = 0;
    static constexpr bool is_computed_around = true;

    copy_of_element<T> element_around_tile;
    bool has_around;

    __device__ void fill(Tile const& tile) {
        image::fill(tile);
        const element_around here = find_around(tile);
        has_around = here.number >= 0;
        if (Kept::filled && has_around) element_around_tile.fill(memory[here.number]);
    }
    __device__ static element_around find_around(Tile const& tile) { return element_around::find(word<image>{}, tile); }
    __device__ void clear(Tile const&) const {}
    __device__ void end(Tile const&, int) {
        changed = true;
        if (!stale) {
            ++number;
            copy = (number & 1) * bytes_of_copy;
        }
        stale = true;
        if constexpr (image::copies == 1) __syncthreads();  // no one reads those before
        give_edges();
        if (has_around) element_around_tile.write_back(*at_byte(first_to + copy));
    }
    template <class Context>
    __device__ bool fetch(Tile const&, Context const&) {
        const bool was_stale = stale;
        stale = false;
        return was_stale;
    }
};

// A variable that its own threads use, with an element around the tile. Elements: those of the tile.
template <class T, class Kept, class Tile, class Elements>
struct elements_with_around : Elements {
    using image = tile_image<T, Kept, Tile>;
    static constexpr bool is_sent = Kept::beyond == around_tile::sent, is_computed_around = !is_sent;
    static constexpr int border_elements = is_sent ? image::border_elements : 0;

    copy_of_element<T> element_around_tile;
    exchanged<T>* borders;
    unsigned number;  // of the last exchange
    int from;
    bool stale;

    static constexpr bool has_place = requires(Elements& elements, Tile const& tile, char* memory) { elements.place(tile, 0, memory); };
    __device__ int shared_bytes([[maybe_unused]] Tile const& tile) const {
        if constexpr (has_place)
            return Elements::shared_bytes(tile);
        else
            return 0;
    }
    __device__ void place([[maybe_unused]] Tile const& tile, [[maybe_unused]] int shared, char* of_borders) {
        if constexpr (has_place) Elements::place(tile, shared, of_borders);
        borders = reinterpret_cast<exchanged<T>*>(of_borders);
        number = 0;
        stale = false;
    }
    __device__ void fill(Tile const& tile) {
        Elements::fill(tile);
        const element_around here = element_around::find(word<image>{}, tile);
        from = here.from;
        if (Kept::filled && here.number >= 0) element_around_tile.fill(this->memory[here.number]);
    }
    __device__ void clear(Tile const& tile) const {
        if constexpr (is_sent) image::clear(tile, borders);
    }
    __device__ void end(Tile const& tile, int good) {
        Elements::end(tile, good);
        if constexpr (is_sent) {
            ++number;
            stale = true;
            image::send(tile, borders, number, [this](int at_own) -> T const& { return this->own_element(at_own); });
        }
    }
    // No one else reads what a thread has fetched.
    template <class Context>
    __device__ bool fetch(Tile const&, Context const&)
        requires is_sent
    {
        if (stale && from >= 0) image::wait_for(borders, number, from, element_around_tile);
        stale = false;
        return false;
    }
};

template <class M>
inline constexpr bool computes_around = requires { requires M::is_computed_around; };

}  // namespace cograph::core
