// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tiles/loop/group_walk.hpp>
#include <cograph/plan/tiles/tiles.hpp>

namespace cograph::core {

// Whether a loop may have large tiles, whose threads have no room for a second variable. It may if it reads neighbours of one variable, x, and each group
// of nodes that writes x does so by a copy from another variable, y, which the same group has written before. Nothing else writes them. Then y is
// kept only until the copy, and has the elements of x when the loop ends. Two variables whose neighbours are read may take turns, too: then the newest of them is
// on chip, and the second is also written to its memory.

// The results of a loop's reductions take shared memory of the kernel itself (run/persistent/chunk_exchange.cuh). A scalar has at most so many places, for the
// results of warps, of a tile and of the chunks of a cluster. Their size is rounded up to a power of two. Reductions into one scalar share them if no other is
// a result. Kernels with tiles that follow the order of a box have fewer places: chunks go through memory (run/tiles/exchange/results_in_order.cuh).
constexpr unsigned most_places_of_result = 640, places_of_ordered_result = 72;
struct scalars_of_reductions {
    unsigned places = most_places_of_result;
    const variable_info* first = nullptr;
    bool is_alone = true;
    unsigned bytes = 0, most = 0;

    constexpr void look(const node_spec& tree) {
        for (int i = 0; i < tree.argument_count && tree.kind == spec_kind::work && tree.traits->reduces; ++i) {
            const argument& a = tree.arguments[i];
            if (reaches_memory(a) && a.variable->kind == variable_kind::scalar && writes(a.access)) add(a.variable);
        }
        for (int i = 0; i < tree.child_count; ++i) look(*tree.children[i]);
    }
    constexpr void add(const variable_info* v) {
        if (!first) first = v;
        is_alone = is_alone && v == first;
        unsigned size = 1;
        while (size < v->size) size *= 2;
        bytes += places * size;
        if (places * size > most) most = places * size;
    }
};
// With 1 kB for what the kernel has beside them.
constexpr unsigned shared_bytes_beside_large(const node_spec& tree) {
    scalars_of_reductions all{.places = has_box_order(tree) ? places_of_ordered_result : most_places_of_result};
    all.look(tree);
    return (all.is_alone ? all.most : all.bytes) + 1024;
}

// Near, passed: the numbers of x and y on chip.
struct passes_by_copy {
    arguments_on_chip uses;
    int near, passed;
    bool all = true;

    constexpr void group(const member_on_chip* members, int count) { all = all && is_in_group(members, count); }
    constexpr void alone(member_on_chip const& m) {
        for (int p = m.first; p < m.first + m.count; ++p)
            if (uses.kept[p] >= 0 && writes(uses.arguments[p].access)) all = false;
    }
    constexpr void other() { all = false; }

private:
    constexpr bool is_in_group(const member_on_chip* members, int count) const {
        bool reads_near = false, is_written = false, is_copied = true;
        for (const member_on_chip* m = members; m < members + count; ++m) {
            bool writes_near = false, writes_passed = false;
            for (int p = m->first; p < m->first + m->count; ++p) {
                const int k = uses.kept[p];
                if (k != near && k != passed) continue;
                const bool is_near = k == near, is_write = writes(uses.arguments[p].access);
                reads_near = reads_near || (is_near && uses.arguments[p].near);
                writes_near = writes_near || (is_near && is_write);
                writes_passed = writes_passed || (!is_near && is_write);
                if (!is_near && !uses.overwrites[p] && !is_written) return false;
            }
            if (writes_near && !(reads_near && is_written && m->copies && uses.kept[m->first + 1] == passed)) return false;
            is_written = is_written || writes_passed;
            is_copied = writes_near || (is_copied && !writes_passed);
        }
        return is_copied;
    }
};
// Whether two variables, numbers 0 and 1, take turns: nodes read one of them, the newest, until a node overwrites the other from neighbours of it. Each
// body of a loop or a branch begins and ends with the first.
struct taking_turns {
    arguments_on_chip uses;
    int newest = 0;
    bool all = true;

    static constexpr bool takes(int kept) { return kept == 0 || kept == 1; }
    constexpr void begin_body() { all = all && newest == 0; }
    constexpr void end_body() { begin_body(); }
    constexpr void group(const member_on_chip* members, int count) {
        bool is_written = false;
        for (const member_on_chip* m = members; m < members + count && all; ++m) {
            bool turns = false, reads_element = false;
            for (int p = m->first; p < m->first + m->count; ++p) {
                if (!takes(uses.kept[p])) continue;
                const argument& a = uses.arguments[p];
                const bool is_newest = uses.kept[p] == newest;
                if (writes(a.access) ? is_newest || is_written || !uses.overwrites[p] : !is_newest || (is_written && a.near)) all = false;
                turns = turns || writes(a.access);
                reads_element = reads_element || !(writes(a.access) || a.near);
            }
            if (turns && reads_element) all = false;  // its place is that of the element which the node writes
            if (turns) newest = 1 - newest;
            is_written = is_written || turns;
        }
    }
    constexpr void alone(member_on_chip const& m) {
        for (int p = m.first; p < m.first + m.count; ++p) all = all && !takes(uses.kept[p]);
    }
    constexpr void other() { all = false; }
};
template <class Program>
constexpr bool all_take_turns(taking_turns asked) {
    visit_steps(asked, word<Program>{});
    return asked.all && asked.newest == 0;
}
template <class Program>
constexpr bool all_pass_by_copy(passes_by_copy asked) {
    visit_steps(asked, word<Program>{});
    return asked.all;
}

}  // namespace cograph::core
