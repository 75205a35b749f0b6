// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/persistent/eligibility.hpp>

namespace cograph::core {

// Elements of which a thread of a persistent kernel keeps copies in registers: those of variables in memory that
// nodes use as their own, x[each], and that no node writes in another way. Results go to memory, too, because others
// read them there.
constexpr unsigned most_register_copy_bytes = 16;  // at most

// The access of the first node that uses a variable, in program order.
enum class first_use : unsigned char { none, overwrites, reads };
constexpr first_use first_use_of(const variable_info* v, const node_spec& tree, bool always) {
    first_use own = first_use::none;
    for (int i = 0; i < tree.argument_count; ++i) {
        const argument& a = tree.arguments[i];
        if (a.variable != v || a.access == access_mode::none) continue;
        own = always && a.each && !reads(a.access) && !touches_partly(tree, a) && own != first_use::reads ? first_use::overwrites : first_use::reads;
    }
    for (int i = 0; i < tree.child_count && own == first_use::none; ++i)
        own = first_use_of(v, *tree.children[i], always && is_group(tree));
    return own;
}

// Whether copies have to be read from memory before a loop begins. Of a temp that a node of the loop's own sequence overwrites first
// they need not be: nothing was there, perhaps.
constexpr bool needs_filling(const variable_info* v, const node_spec& loop) {
    if (v->kind != variable_kind::temp) return true;
    const node_spec& body = *loop.children[0];
    return first_use_of(v, body, true) != first_use::overwrites;
}

// The target of a persistent kernel's parameter, as a number: a scalar, the copy of an element, or nothing that is
// copied; or a buffer of a set of buffers that are exchanged.
constexpr int nothing_copied = -1;
constexpr int number_of_copy(int copy, bool filled) { return nothing_copied - 1 - 2 * copy - !filled; }
constexpr int first_exchanged = -(1 << 20), most_in_set = 255;
COGRAPH_HD constexpr int number_of_exchanged(int set, int member) { return first_exchanged - set * (most_in_set + 1) - member; }
COGRAPH_HD constexpr int number_of_extent(int set) { return number_of_exchanged(set, most_in_set); }  // of all in the set
COGRAPH_HD constexpr int copy_numbered(int number) {
    return number < nothing_copied && number > first_exchanged ? (nothing_copied - 1 - number) / 2 : -1;
}
COGRAPH_HD constexpr bool is_filled(int number) { return number % 2 == 0; }

// Whether a parameter is an element that a thread has alone.
constexpr bool is_own_element(const argument& a, const lowered_argument& of) { return a.each && of.traits->threads_of_group == 0 && of.traits->every == 1; }

// Whether elements of a variable are small, and no parameter writes them but as a node's own; nor is it swapped with another.
constexpr bool fits_register_copies(const variable_info* v, const argument* parameters, const lowered_argument* lowered, int count) {
    if (v->size > most_register_copy_bytes) return false;
    for (int i = 0; i < count; ++i)
        if (parameters[i].variable == v && writes(parameters[i].access) && (!is_own_element(parameters[i], lowered[i]) || lowered[i].traits->exchanges)) return false;
    return true;
}

}  // namespace cograph::core
