// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/copies.hpp>
#include <cograph/plan/slot.hpp>

#include <cstdio>

namespace cograph::core {

// What a copy moves in one run.
struct planned_copy {
    const void* from = nullptr;
    void* to = nullptr;
    unsigned size = 0;  // of an element, in bytes
    box what;
    bool whole = false;
};
inline planned_copy copy_of(const frame& f, const row& r) {
    const bound_argument* const a = f.plan.arguments + r.first_argument;
    planned_copy copy{f.slots[a[0].at].pointer, f.slots[a[1].at].pointer, f.plan.variables[a[0].at].info->size, {}, a[2].form == argument_form::extent};
    if (copy.whole)
        copy.what.width = static_cast<index_t>(f.slots[a[0].at].count);
    else
        copy.what = *static_cast<const box*>(parameter_address(f, a[2]));
    return copy;
}

// Whether n lies in [0, most].
constexpr bool within(index_t n, index_t most) { return n >= 0 && n <= most; }

// Whether one side of a box lies in memory of so many elements; no step overflows.
constexpr bool box_fits(const box& b, const box_side& side, index_t count) {
    if (b.width < 0 || b.height < 0 || b.depth < 0 || !within(side.begin, count)) return false;
    if (is_empty(b)) return true;
    if (side.pitch < b.width || side.rows < b.height) return false;
    const index_t room = count - side.begin;
    if (!within(b.width, room)) return false;
    const index_t most_rows = (room - b.width) / side.pitch + 1;  // that begin in time
    return within(b.height, most_rows) && (b.depth - 1) <= (most_rows - b.height) / side.rows;
}

inline void check_box(const frame& f, const row& r) {
    const planned_copy copy = copy_of(f, r);
    for (int i = 0; i < 2; ++i) {
        const int v = f.plan.arguments[r.first_argument + i].at;
        const index_t count = static_cast<index_t>(f.slots[v].count);
        if (copy.whole || box_fits(copy.what, i == 0 ? from_side(copy.what) : to_side(copy.what), count)) continue;
        const name_view name = f.plan.variables[v].info->name.read();
        char text[256];
        std::snprintf(text, sizeof text, "copies a box of %lld x %lld x %lld elements, which does not lie in '%.*s': it has %lld elements",
                      static_cast<long long>(copy.what.width), static_cast<long long>(copy.what.height), static_cast<long long>(copy.what.depth),
                      static_cast<int>(name.size), name.data, static_cast<long long>(count));
        throw error(place_of(f, r), text);
    }
}

}  // namespace cograph::core
