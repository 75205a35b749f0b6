// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/copy.hpp>
#include <cograph/plan/persistent/steps.hpp>
#include <cograph/plan/tiles/tiles.hpp>

namespace cograph::core {

// Whether a loop may have large tiles, whose threads have no room for a second variable. It may if it reads neighbours of one variable, x, and each group
// of nodes that writes x does so by a copy from another variable, y, which the same group has written before. Nothing else writes them. Then y is
// kept only until the copy, and has the elements of x when the loop ends.

constexpr int most_own_shared_bytes_beside_large = 7000;
// Of the results of a loop's reductions, in the shared memory of the kernel itself: at most so many bytes of each result, but groups of nodes share
// those of one scalar if no other is a result.
struct scalars_of_reductions {
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
        bytes += 640 * size;
        if (640 * size > most) most = 640 * size;
    }
};
constexpr unsigned shared_bytes_of_results(const node_spec& tree) {
    scalars_of_reductions all;
    all.look(tree);
    return all.is_alone ? all.most : all.bytes;
}

// Arguments: by parameter. Kept: by parameter, the variable on chip, or -1. Overwrites: by parameter, whether it writes all elements and reads none.
struct uses_on_chip {
    const argument* arguments;
    const int* kept;
    const bool* overwrites;
    int near, passed;  // the numbers of x and y

    constexpr bool writes_any(int first, int count) const {
        for (int p = first; p < first + count; ++p)
            if (kept[p] >= 0 && writes(arguments[p].access)) return true;
        return false;
    }
};

template <class Stage>
inline constexpr bool copies_elements = false;
template <class F>
inline constexpr bool copies_elements<stateless<copy_elements, F>> = true;

struct member_on_chip {
    int first, count;
    bool copies;
};
template <int Members>
constexpr bool passes_by_copy(uses_on_chip const& uses, const member_on_chip (&members)[Members]) {
    bool reads_near = false, is_written = false, is_copied = true;
    for (const member_on_chip& m : members) {
        bool writes_near = false, writes_passed = false;
        for (int p = m.first; p < m.first + m.count; ++p) {
            const int k = uses.kept[p];
            if (k < 0) continue;
            const bool is_near = k == uses.near, is_write = writes(uses.arguments[p].access);
            reads_near = reads_near || (is_near && uses.arguments[p].near);
            writes_near = writes_near || (is_near && is_write);
            writes_passed = writes_passed || (!is_near && is_write);
            if (!is_near && !uses.overwrites[p] && !is_written) return false;
        }
        if (writes_near && !(reads_near && is_written && m.copies && uses.kept[m.first + 1] == uses.passed)) return false;
        is_written = is_written || writes_passed;
        is_copied = writes_near || (is_copied && !writes_passed);
    }
    return is_copied;
}

template <class Step>
inline constexpr auto all_pass_by_copy = [](uses_on_chip const&) { return false; };
template <class... Step>
inline constexpr auto all_pass_by_copy<steps<Step...>> = [](uses_on_chip const& uses) { return (all_pass_by_copy<Step>(uses) && ...); };
template <class Rule, int First, int Count, barrier Before, barrier Again, class... Body>
inline constexpr auto all_pass_by_copy<control_step<Rule, First, Count, Before, Again, Body...>> = [](uses_on_chip const& uses) { return (all_pass_by_copy<Body>(uses) && ...); };
// Of a single step: that of one thread, or of the first test of a loop, which reads memory.
template <class Stage, int First, int Count, barrier Before, bool Joins>
inline constexpr auto all_pass_by_copy<stage_step<Stage, First, Count, Before, Joins>> = [](uses_on_chip const& uses) { return !uses.writes_any(First, Count); };
template <class... Stage, int... First, int... Count, barrier... Before, bool... Joins>
inline constexpr auto all_pass_by_copy<fused_steps<stage_step<Stage, First, Count, Before, Joins>...>> = [](uses_on_chip const& uses) {
    return passes_by_copy<sizeof...(Stage)>(uses, {{First, Count, copies_elements<Stage>}...});
};

}  // namespace cograph::core
