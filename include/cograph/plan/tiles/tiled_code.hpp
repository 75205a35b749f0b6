// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>
#include <cograph/plan/tiles/loop/halo_elements.hpp>
#include <cograph/plan/tiles/large_shape.hpp>

#include <utility>

namespace cograph::core {

// What the kernel of a loop with tiles is made of. Types without names of variables, so that loops of one code share it.

// A variable on chip: whether nodes read its neighbours (image), and how far away (radius); whether it is read from memory before the loop begins (filled),
// and written back after the loop.
template <unsigned Size, bool Image, bool Filled, bool Written, int Rows, int Columns, int Planes, bool Shared, halo_kind Halo, int PassedTo>
struct kept_on_chip {
    static constexpr unsigned size = Size;
    static constexpr bool image = Image, filled = Filled, written = Written;
    static constexpr tile_border radius{Rows, Columns, Planes};
    static constexpr bool shared = Shared;  // in shared memory, if threads have many elements
    static constexpr halo_kind halo = Halo;
    static constexpr int passed_to = PassedTo;  // the image to which a copy passes it, or -1
    static constexpr bool takes_turns = false, is_second = false;
};

// How the blocks run: bits.
constexpr int tiles_write_no_memory = 1;  // but scalars: all else that the loop writes is on chip
constexpr int tiles_may_overlap = 2;
constexpr int tiles_in_order = 4;  // of the terms of reductions: beyond the other bits, the number of tables of words
constexpr int tiles_may_be_large = 8;
constexpr int tiles_may_run_ahead = 16;
constexpr int tiles_take_turns = 32;  // large ones: two variables, of which the newest is on chip
constexpr int tiles_may_keep_part = 64;  // on chip, of large ones
constexpr int tiles_may_be_tall = 128;
constexpr int tiles_are_tight = 256;      // set by a kernel whose threads have no registers to spare
constexpr int tables_of_words = 512;

// A parameter that leads to a variable on chip: its number, and whether it overwrites all elements.
COGRAPH_HD constexpr int number_on_chip(int kept, bool overwrites) { return kept < 0 ? -1 : 2 * kept + overwrites; }

// Sides: the first parameter that is a side of the box. Own: the bytes of the kernel's memory before those of its tiles. Kept: by parameter, its number on chip,
// or -1. First: by variable, a parameter that leads to it. Code: that of the same loop without tiles.
template <class Code, class Program, int Rank, int Sides, unsigned Own, int How, class Kept, class First, class... Variable>
struct tiled_code {};

// Whether a variable lasts from one iteration to the next, but no neighbours of it are read.
constexpr bool lasts_without_neighbours(bool image, bool written, int passed_to) { return !image && written && passed_to < 0; }

// The same of large tiles, which have the variables that nodes change; all others are only read, from memory. Rows pass of images, and in tall tiles of all
// variables that last.
template <bool Tall, class... Variable>
struct variables_in_large {
    template <class V>
    static constexpr bool passes = V::image || (Tall && lasts_without_neighbours(V::image, V::written, V::passed_to));
    // The bytes of an element of those before number k.
    static constexpr int before(int k) {
        constexpr int size[] = {(passes<Variable> ? static_cast<int>(Variable::size) : 0)...};
        int bytes = 0;
        for (int i = 0; i < k; ++i) bytes += size[i];
        return bytes;
    }
    COGRAPH_HD static constexpr large_rows rows(const tile_shape& tile, int columns) {
        large_rows all;
        (add<Variable>(all, tile, columns), ...);
        return all;
    }

private:
    template <class V>
    COGRAPH_HD static constexpr void add(large_rows& to, const tile_shape& tile, int columns) {
        if constexpr (passes<V>) to.add(tile_border{V::radius.rows, V::radius.columns, 0}, tile, columns, V::size);
    }
};
template <class X, int K, class All>
struct kept_in_large : X {
    static constexpr bool image = All::template passes<X>;
    static constexpr halo_kind halo = halo_kind::not_kept;
    static constexpr int bytes_before = All::before(K);
    using all_in_large = All;
};
template <class First>
struct kept_by_turns : kept_in_large<First, 0, variables_in_large<false, First>> {
    static constexpr bool takes_turns = true;
};
template <class Second>
struct kept_in_memory : Second {
    static constexpr bool is_second = true;
};

template <class Code, bool TakesTurns>
struct code_of_large_tiles;
template <class Code, class Program, int Rank, int Sides, unsigned Own, int How, int... Kept, int... First, class... Variable>
struct code_of_large_tiles<tiled_code<Code, Program, Rank, Sides, Own, How, std::integer_sequence<int, Kept...>, std::integer_sequence<int, First...>, Variable...>, false> {
    using all = variables_in_large<(How & tiles_may_be_tall) != 0, Variable...>;
    static constexpr int count = (0 + ... + (Variable::image || Variable::written)), first[] = {First...};
    template <int... K>
    static auto find(std::integer_sequence<int, K...>) -> tiled_code<Code, Program, Rank, Sides, Own, How, std::integer_sequence<int, (Kept < 2 * count ? Kept : -1)...>,
                                                                     std::integer_sequence<int, first[K]...>, kept_in_large<typename pick_type<K, Variable...>::type, K, all>...>;
    using type = decltype(find(std::make_integer_sequence<int, count>{}));
};
// If two take turns, parameters that lead to the second lead to the first, too, whose elements are those of the newest.
constexpr int number_of_second = 1 << 20;  // added to theirs on chip
COGRAPH_HD constexpr int number_by_turns(int number) { return number >= 2 ? number_of_second + number - 2 : number; }
template <class Code, class Program, int Rank, int Sides, unsigned Own, int How, int... Kept, class First, class X, class Y>
struct code_of_large_tiles<tiled_code<Code, Program, Rank, Sides, Own, How, std::integer_sequence<int, Kept...>, First, X, Y>, true> {
    using type = tiled_code<Code, Program, Rank, Sides, Own, How, std::integer_sequence<int, number_by_turns(Kept)...>, First, kept_by_turns<X>, kept_in_memory<Y>>;
};

}  // namespace cograph::core
