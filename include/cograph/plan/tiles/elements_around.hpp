// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tiles/group_walk.hpp>
#include <cograph/plan/tiles/tiles.hpp>

namespace cograph::core {

// The elements around the tiles of a loop that reduces in the order of a box. If nodes read neighbours of a variable x that is written by element alone, blocks
// do not wait for each other's x: each computes x around its tile from other variables around it. Of these, some are computed, too. Others come
// from the blocks that write them, while all wait for a reduction.
enum class around_tile : unsigned char { not_kept, computed, sent };

struct found_around {
    unsigned needed;        // around the tile
    unsigned sent = 0;      // written in ways that need the elements of other blocks
    unsigned exposed = 0;   // written where no reduction follows
    bool possible = true;
};

// What a member of a group does with variables on chip, a bit for each.
struct touched_on_chip {
    unsigned read = 0, written = 0, near = 0;
    bool alone = true;  // whether its function gets nothing in memory but elements on chip

    constexpr touched_on_chip(arguments_on_chip const& uses, member_on_chip const& of) {
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

struct look_around {
    arguments_on_chip uses;
    found_around found;

    constexpr void group(const member_on_chip* members, int count) {
        unsigned written_before = 0;
        for (int i = 0; i < count; ++i) {
            const touched_on_chip here(uses, members[i]);
            bool is_before_reduction = false;
            for (int j = i; j < count; ++j) is_before_reduction = is_before_reduction || members[j].reduces;
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
    constexpr void alone(member_on_chip const& m) {
        for (int p = m.first; p < m.first + m.count; ++p)
            if (uses.kept[p] >= 0) found.possible = false;
    }
    constexpr void other() { found.possible = false; }
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
// Near: a bit for each variable whose neighbours are read.
template <class Program>
constexpr variables_around find_around(arguments_on_chip const& uses, unsigned near) {
    look_around look{uses, {near}};
    found_around const& found = look.found;
    for (unsigned before = ~0u; before != found.needed;) {
        before = found.needed;
        visit_steps(look, word<Program>{});
    }
    const unsigned sent = found.needed & found.sent;
    if (!found.possible || (near & sent) != 0 || (found.exposed & sent) != 0) return {};
    return {found.needed & ~sent, sent};
}

}  // namespace cograph::core
