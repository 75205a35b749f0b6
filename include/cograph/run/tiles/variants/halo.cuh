// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/tile_image.cuh>

namespace cograph::core {

// Variables on chip of which a thread has an element of the halo, too (plan/tiles/loop/halo_elements.hpp). Some threads have none.

// The one of this thread: its number in the box, and its place among what blocks send; -1 if there is none.
struct place_in_halo {
    index_t number;
    int from;

    template <class Image, class Tile>
    __device__ static place_in_halo find(word<Image>, Tile const& tile) {
        Image image;
        image.all_edges = image.all_sides = 0;
        place_in_halo found;
        int to;
        image.find_in_halo(tile, Image::fetched_first(), to, found.from, found.number);
        return found;
    }
};

// A variable whose neighbours are read: its halo is computed.
template <class T, class Kept, class Tile>
struct image_with_computed_halo : tile_image<T, Kept, Tile> {
    using image = tile_image<T, Kept, Tile>;
    using image::memory, image::changed, image::copy, image::number, image::stale, image::bytes_of_copy, image::first_to, image::at_byte, image::give_edges;
    static constexpr int border_elements = 0;
    static constexpr bool is_computed_halo = true;

    copy_of_element<T> halo_element;
    bool has_halo;

    __device__ void fill(Tile const& tile) {
        image::fill(tile);
        const place_in_halo here = find_halo(tile);
        has_halo = here.number >= 0;
        if (Kept::filled && has_halo) halo_element.fill(memory[here.number]);
    }
    __device__ static place_in_halo find_halo(Tile const& tile) { return place_in_halo::find(word<image>{}, tile); }
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
        if (has_halo) halo_element.write_back(*at_byte(first_to + copy));
    }
    template <class Context>
    __device__ bool fetch(Tile const&, Context const&) {
        const bool was_stale = stale;
        stale = false;
        return was_stale;
    }
};

// A variable that its own threads use, with an element of the halo. Elements: those of the tile.
template <class T, class Kept, class Tile, class Elements>
struct elements_with_halo : Elements {
    using image = tile_image<T, Kept, Tile>;
    static constexpr bool is_sent = Kept::halo == halo_kind::sent, is_computed_halo = !is_sent;
    static constexpr int border_elements = is_sent ? image::border_elements : 0;

    copy_of_element<T> halo_element;
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
        const place_in_halo here = place_in_halo::find(word<image>{}, tile);
        from = here.from;
        if (Kept::filled && here.number >= 0) halo_element.fill(this->memory[here.number]);
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
        if (stale && from >= 0) image::wait_for(borders, number, from, halo_element);
        stale = false;
        return false;
    }
};

template <class M>
inline constexpr bool computes_halo = requires { requires M::is_computed_halo; };

}  // namespace cograph::core
