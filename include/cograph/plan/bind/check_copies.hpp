// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/stream/copies.hpp>
#include <cograph/plan/bind/frame.hpp>

#include <cstdio>

namespace cograph::core {

// The elements that a copy moves in one run.
struct planned_copy {
    const void* from = nullptr;
    void* to = nullptr;
    unsigned size = 0;  // of an element, in bytes
    box what;
    bool whole = false;
};
inline planned_copy copy_of(const frame& f, const plan_node& r) {
    const int* const at = f.plan.arguments + r.first_argument;
    planned_copy copy{f.slots[at[0]].pointer, f.slots[at[1]].pointer, f.plan.variables[at[0]].info->size, {}, r.from->arguments[2].form == argument_form::extent};
    if (copy.whole)
        copy.what.width = static_cast<index_t>(f.slots[at[0]].count);
    else
        copy.what = *static_cast<const box*>(parameter_address(f, r, 2));
    return copy;
}

// Whether n lies in [0, most].
constexpr bool within(index_t n, index_t most) { return n >= 0 && n <= most; }

// Whether one side of a box lies in memory of that many elements; no step overflows.
constexpr bool box_fits(const box& b, const box_side& side, index_t count) {
    if (b.width < 0 || b.height < 0 || b.depth < 0 || !within(side.begin, count)) return false;
    if (is_empty(b)) return true;
    if (side.pitch < b.width || side.rows < b.height) return false;
    const index_t room = count - side.begin;
    if (!within(b.width, room)) return false;
    const index_t most_rows = (room - b.width) / side.pitch + 1;  // that begin in time
    return within(b.height, most_rows) && (b.depth - 1) <= (most_rows - b.height) / side.rows;
}

// The multiples of a step that are less than a width away from a distance; a width is no larger than its step.
struct near_multiples {
    index_t first, last;
};
constexpr near_multiples multiples_near(index_t distance, index_t step, index_t width) {
    const index_t below = distance / step, rest = distance % step;
    return {rest < width ? below : below + 1, step - rest < width ? below + 1 : below};
}
// Whether both sides of a box, in one memory, have an element in common; if their rows are laid out differently,
// whether the ranges from their first to their last elements overlap. Both sides fit, and are not empty.
constexpr bool sides_meet(const box& b) {
    const box_side from = from_side(b), to = to_side(b);
    const index_t distance = from.begin < to.begin ? to.begin - from.begin : from.begin - to.begin;
    if (from.pitch != to.pitch || (from.rows != to.rows && b.depth > 1)) {
        const box_side& first = from.begin < to.begin ? from : to;
        return distance < ((b.depth - 1) * first.rows + b.height - 1) * first.pitch + b.width;
    }
    const near_multiples rows = multiples_near(distance, from.pitch, b.width);
    for (index_t row = rows.first; row <= rows.last; ++row) {
        const near_multiples slices = multiples_near(row, from.rows, b.height);
        if (slices.first <= slices.last && slices.first < b.depth) return true;
    }
    return false;
}

inline void check_box(const frame& f, const plan_node& r) {
    const planned_copy copy = copy_of(f, r);
    for (int i = 0; i < 2; ++i) {
        const int v = f.plan.arguments[r.first_argument + i];
        const index_t count = static_cast<index_t>(f.slots[v].count);
        if (copy.whole || box_fits(copy.what, i == 0 ? from_side(copy.what) : to_side(copy.what), count)) continue;
        const name_view name = f.plan.variables[v].info->name.read();
        char text[256];
        std::snprintf(text, sizeof text, "copies a box of %lld x %lld x %lld elements, which does not lie in '%.*s': it has %lld elements",
                      static_cast<long long>(copy.what.width), static_cast<long long>(copy.what.height), static_cast<long long>(copy.what.depth),
                      static_cast<int>(name.size), name.data, static_cast<long long>(count));
        throw error(place_of(f, r), text);
    }
    const bool is_within = copy.from == copy.to && !is_empty(copy.what);
    if (is_within && sides_meet(copy.what)) throw error(place_of(f, r), "copies elements onto others that it copies, in no order: the two sides of a copy may not overlap");
}

}  // namespace cograph::core
