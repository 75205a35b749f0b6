// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/persistent/steps.hpp>
#include <cograph/plan/tiles/tiles.hpp>

namespace cograph::core {

// The elements around the tiles of a loop that reduces in the order of a box. If nodes read neighbours of a variable x that is written by element alone, blocks
// do not wait for each other's x: each computes x around its tile from other variables around it. Of these, some are computed, too. Others come
// from the blocks that write them, while all wait for a reduction.
enum class around_tile : unsigned char { not_kept, computed, sent };

// Arguments: by parameter. Kept: by parameter, the variable on chip, or -1.
struct elements_on_chip {
    const argument* arguments;
    const int* kept;
    unsigned near;  // a bit for each variable whose neighbours are read
};
struct found_around {
    unsigned needed;        // around the tile
    unsigned sent = 0;      // written in ways that need the elements of other blocks
    unsigned exposed = 0;   // written where no reduction follows
    bool possible = true;
};

struct member_around {
    int first, count;
    bool reduces, by_box;
};
// What a member of a group does with variables on chip, a bit for each.
struct touched_on_chip {
    unsigned read = 0, written = 0, near = 0;
    bool alone = true;  // whether its function gets nothing in memory but elements on chip

    constexpr touched_on_chip(elements_on_chip const& uses, member_around const& of) {
        alone = of.by_box && !of.reduces;
        for (int p = of.first; p < of.first + of.count; ++p) {
            const argument& a = uses.arguments[p];
            const int k = uses.kept[p];
            if (!a.variable || !reaches_memory(a)) continue;
            if (k < 0) {
                alone = alone && a.variable->kind == variable_kind::scalar && !writes(a.access);
                continue;
            }
            read |= 1u << k;
            if (writes(a.access)) written |= 1u << k;
            if (a.near) near |= 1u << k;
        }
        alone = alone && near == 0;
    }
};

template <int Members>
constexpr void look_around_group(elements_on_chip const& uses, found_around& found, const member_around (&members)[Members]) {
    unsigned written_before = 0;
    for (int i = 0; i < Members; ++i) {
        const touched_on_chip here(uses, members[i]);
        bool is_before_reduction = false;
        for (int j = i; j < Members; ++j) is_before_reduction = is_before_reduction || members[j].reduces;
        if (!here.alone) found.sent |= here.written;
        if (!is_before_reduction) found.exposed |= here.written;
        found.exposed |= here.written & written_before;  // twice in a group
        if (here.alone && (here.written & found.needed & ~found.sent) != 0) {
            found.needed |= here.read;
            // Those of this group have not arrived.
            if ((here.read & written_before & found.sent) != 0) found.possible = false;
        }
        written_before |= here.written;
    }
}

template <class Step>
inline constexpr auto look_around = [](elements_on_chip const&, found_around& found) { found.possible = false; };
template <class... Step>
inline constexpr auto look_around<steps<Step...>> = [](elements_on_chip const& uses, found_around& found) { (look_around<Step>(uses, found), ...); };
template <class Rule, int First, int Count, barrier Before, barrier Again, class... Body>
inline constexpr auto look_around<control_step<Rule, First, Count, Before, Again, Body...>> = [](elements_on_chip const& uses, found_around& found) { (look_around<Body>(uses, found), ...); };
// Of one thread.
template <class Stage, int First, int Count, barrier Before, bool Joins>
inline constexpr auto look_around<stage_step<Stage, First, Count, Before, Joins>> = [](elements_on_chip const& uses, found_around& found) {
    for (int p = First; p < First + Count; ++p)
        if (uses.kept[p] >= 0) found.possible = false;
};
template <class... Stage, int... First, int... Count, barrier... Before, bool... Joins>
inline constexpr auto look_around<fused_steps<stage_step<Stage, First, Count, Before, Joins>...>> = [](elements_on_chip const& uses, found_around& found) {
    look_around_group<sizeof...(Stage)>(uses, found, {{First, Count, Stage::traits.reduces, Stage::traits.box_rank == 2}...});
};

// A thread has at most one element around the tile, so these may be no more than a block has threads.
constexpr bool has_a_thread_each(tile_border const& around) {
    constexpr tile_shape largest = shape_in_order(1 << 10, 1 << 10, box_order::many);
    return 2 * around.rows * largest.width + around.at_sides(largest) <= largest.threads;
}

struct variables_around {
    unsigned computed = 0, sent = 0;
    constexpr around_tile of(int k) const { return (computed >> k & 1) != 0 ? around_tile::computed : (sent >> k & 1) != 0 ? around_tile::sent : around_tile::not_kept; }
};
template <class Program>
constexpr variables_around find_around(elements_on_chip const& uses) {
    found_around found{uses.near};
    for (unsigned before = ~0u; before != found.needed;) {
        before = found.needed;
        look_around<Program>(uses, found);
    }
    const unsigned sent = found.needed & found.sent;
    if (!found.possible || (uses.near & sent) != 0 || (found.exposed & sent) != 0) return {};
    return {found.needed & ~sent, sent};
}

}  // namespace cograph::core
