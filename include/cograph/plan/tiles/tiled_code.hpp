// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_stages.hpp>
#include <cograph/plan/persistent/steps.hpp>
#include <cograph/plan/persistent/word_join.hpp>
#include <cograph/plan/tiles/tiles.hpp>

namespace cograph::core {

// Whether reductions come out the same in any order: the threads of a tile have other elements than those of a chunk.
template <class P>
struct made_from {
    using type = P;
};
template <class T>
struct made_from<made_on_use<T>> {
    using type = T;
};
template <class Step, class... P>
inline constexpr bool reduces_in_any_order = true;
template <class Stage, int First, int Count, barrier Before, bool Joins, class... P>
    requires(Stage::traits.reduces)
inline constexpr bool reduces_in_any_order<stage_step<Stage, First, Count, Before, Joins>, P...> =
    (Stage::traits.box_rank == 2 && sizeof(typename made_from<typename pick_type<First + 3, P...>::type>::type) <= most_ordered_bytes) ||
    joins_in_any_order<typename made_from<typename pick_type<First + 2, P...>::type>::type> ||
    how_to_join<typename made_from<typename pick_type<First + 2, P...>::type>::type, typename made_from<typename pick_type<First + 3, P...>::type>::type>() != word_join::none;
template <class... Step, class... P>
inline constexpr bool reduces_in_any_order<steps<Step...>, P...> = (reduces_in_any_order<Step, P...> && ...);
template <class... Step, class... P>
inline constexpr bool reduces_in_any_order<fused_steps<Step...>, P...> = (reduces_in_any_order<Step, P...> && ...);
template <class Rule, int First, int Count, barrier Before, barrier Again, class... Body, class... P>
inline constexpr bool reduces_in_any_order<control_step<Rule, First, Count, Before, Again, Body...>, P...> = (reduces_in_any_order<Body, P...> && ...);

// A variable on chip, without its name: how far around the tile it reaches, and whether it is read from memory before the loop begins.
template <unsigned Size, bool Image, bool Filled, bool Written, int Rows, int Columns, int Planes, bool Shared = false>
struct kept_on_chip {
    static constexpr bool shared = Shared;  // by threads with many elements
    static constexpr unsigned size = Size;
    static constexpr bool image = Image, filled = Filled, written = Written;
    static constexpr tile_border around{Rows, Columns, Planes};
};

// Kept: by parameter, the variable on chip that it leads to, or -1. First: by variable, a parameter that leads to it.
// Own: the bytes of the kernel's memory before those of its tiles.
constexpr int tiles_are_quiet = 1;  // nothing that the loop writes is in memory
constexpr int tiles_may_be_deep = 2;
constexpr int tiles_in_order = 4;  // of the terms of reductions: as many tables of words as eights follow
constexpr int tables_of_words = 8;
COGRAPH_HD constexpr int number_on_chip(int kept, bool overwrites) { return kept < 0 ? -1 : 2 * kept + overwrites; }
template <class Code, class Program, int Rank, int Sides, unsigned Own, int How, class Kept, class First, class... Variable>
struct tiled_code {};

}  // namespace cograph::core
