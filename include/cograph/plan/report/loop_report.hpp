// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/expr/control/control_rules.hpp>
#include <cograph/plan/refused/loop_report.hpp>

#include <cstring>

namespace cograph::core {

// The labels of the loops in a tree, in program order; `here` is the record of its first node.
inline void label_loops(const node_spec& tree, const record*& here, const char**& to) {
    if (is_loop(tree.kind)) *to++ = here->label;
    if (!is_group(tree)) here += tree.leaves;
    for (int i = 0; i < tree.child_count; ++i) label_loops(*tree.children[i], here, to);
}
// The number of the loop that has one of them.
inline int labelled_loop(const char* const* labels, int count, const char* label) {
    if (!label) throw error({}, "A null pointer is the label of no loop.");
    int found = -1;
    for (int i = 0; i < count; ++i) {
        if (!labels[i] || std::strcmp(labels[i], label) != 0) continue;
        if (found >= 0) throw error(place{label}, "is the label of several loops: ask by a selector");
        found = i;
    }
    if (found < 0) throw error(place{label}, "is the label of no loop in this expression");
    return found;
}

// The number of a loop among all loops of E, in program order.
template <class E, class S>
constexpr int loop_number() {
    constexpr const plan_view& p = plan_of<E>::view;
    return p.variables[p.nodes[select<E, S>().node].condition].state;
}

// What the loops of an expression did in one run.
template <class E>
struct loop_report {
    static constexpr int count = count_loops(E::tree);
    loop_state loops[count + 1];
    const char* labels[count + 1];

    void read_labels(const record* first) {
        const char** to = labels;
        label_loops(E::tree, first, to);
    }

    // Of the loop with a label. Throws error when it is that of no loop, or of several.
    index_t iterations(const char* label) const { return loops[labelled_loop(labels, count, label)].iterations; }
    index_t entries(const char* label) const { return loops[labelled_loop(labels, count, label)].entries; }
    ending ended_by(const char* label) const { return loops[labelled_loop(labels, count, label)].ended; }

    // Passes of a loop's body in the whole run; of an inner loop, those of all times that it was met.
    template <class S>
        requires is_fine<decltype(diagnose_loop_selector<E, S>())>
    index_t iterations(S) const {
        return loops[loop_number<E, S>()].iterations;
    }
    // How often a loop was met.
    template <class S>
        requires is_fine<decltype(diagnose_loop_selector<E, S>())>
    index_t entries(S) const {
        return loops[loop_number<E, S>()].entries;
    }
    // How it ended when it was met last.
    template <class S>
        requires is_fine<decltype(diagnose_loop_selector<E, S>())>
    ending ended_by(S) const {
        return loops[loop_number<E, S>()].ended;
    }

    // What it refuses.
    template <class S>
    auto iterations(S) const -> decltype(mistake_of<struct iterations_query, E, S>(diagnose_loop_selector<E, S>()));
    template <class S>
    auto entries(S) const -> decltype(mistake_of<struct entries_query, E, S>(diagnose_loop_selector<E, S>()));
    template <class S>
    auto ended_by(S) const -> decltype(mistake_of<struct ended_by_query, E, S>(diagnose_loop_selector<E, S>()));
};

}  // namespace cograph::core
