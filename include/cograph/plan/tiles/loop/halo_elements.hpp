// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tiles/loop/group_walk.hpp>
#include <cograph/plan/tiles/tiles.hpp>

namespace cograph::core {

// The halos of a loop that reduces in the order of a box: the elements around its tiles. If nodes read neighbours of a variable x that is written by element alone, blocks
// do not wait for each other's x: each computes the halo of x from those of other variables. Of these, some are computed, too. Others come
// from the blocks that write them, while all wait for a reduction.
enum class halo_kind : unsigned char { not_kept, computed, sent };

struct found_halo {
    unsigned needed;        // in the halo
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

struct look_for_halo {
    arguments_on_chip uses;
    found_halo found;

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

// A thread has at most one element of the halo, so these may be no more than a block has threads.
constexpr bool has_a_thread_each(tile_border const& radius) {
    constexpr tile_shape largest = shape_in_order(1 << 10, 1 << 10, box_order::many);
    return 2 * radius.rows * largest.width + radius.at_sides(largest) <= largest.threads;
}

struct variables_with_halo {
    unsigned computed = 0, sent = 0;
    constexpr halo_kind of(int k) const { return (computed >> k & 1) != 0 ? halo_kind::computed : (sent >> k & 1) != 0 ? halo_kind::sent : halo_kind::not_kept; }
};
// Near: a bit for each variable whose neighbours are read.
template <class Program>
constexpr variables_with_halo find_halo(arguments_on_chip const& uses, unsigned near) {
    look_for_halo look{uses, {near}};
    found_halo const& found = look.found;
    for (unsigned before = ~0u; before != found.needed;) {
        before = found.needed;
        visit_steps(look, word<Program>{});
    }
    const unsigned sent = found.needed & found.sent;
    if (!found.possible || (near & sent) != 0 || (found.exposed & sent) != 0) return {};
    return {found.needed & ~sent, sent};
}

}  // namespace cograph::core
