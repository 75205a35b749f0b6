// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/expr/control/control_rules.hpp>
#include <cograph/plan/refused/loop_report.hpp>

#include <type_traits>

namespace cograph::core {

// The labels of the loops in a tree, in program order; `here` is the record of its first node.
constexpr void label_loops(const node_spec& tree, const record*& here, const char**& to) {
    if (is_loop(tree.kind)) *to++ = here->label;
    if (!is_group(tree)) here += tree.leaves;
    for (int i = 0; i < tree.child_count; ++i) label_loops(*tree.children[i], here, to);
}

// Functions that are no constants: a constant with a mistake does not compile, and compilers name these.
[[noreturn]] inline void label_is_a_null_pointer() { throw error({}, "A null pointer is the label of no loop."); }
[[noreturn]] inline void label_is_of_several_loops(const char* label) { throw error(place{label}, "is the label of several loops: ask by a selector"); }
[[noreturn]] inline void label_is_of_no_loop(const char* label) { throw error(place{label}, "is the label of no loop in this expression"); }

constexpr bool is_same_text(const char* a, const char* b) {
    for (; *a && *a == *b; ++a) ++b;
    return *a == *b;
}
// The number of the loop that has one of them.
constexpr int labelled_loop(const char* const* labels, int count, const char* label) {
    if (!label) label_is_a_null_pointer();
    int found = -1;
    for (int i = 0; i < count; ++i) {
        if (!labels[i] || !is_same_text(labels[i], label)) continue;
        if (found >= 0) label_is_of_several_loops(label);
        found = i;
    }
    if (found < 0) label_is_of_no_loop(label);
    return found;
}
template <class S>
concept label_text = std::is_convertible_v<S, const char*>;

// The node of the loop with a label; E has these records.
template <class E>
constexpr int labelled_node(const record* records, const char* label) {
    constexpr const plan_view& p = plan_of<E>::view;
    const char* labels[p.count.loops + 1]{};
    const char** to = labels;
    label_loops(E::tree, records, to);
    const int loop = labelled_loop(labels, p.count.loops, label);
    int r = 0;
    while (!(p.nodes[r].kind == plan_node_kind::conditional && is_loop(p.nodes[r].control) && p.variables[p.nodes[r].condition].state == loop)) ++r;
    return r;
}

// The number of a loop among all loops of E, in program order.
template <class E, class S>
constexpr int loop_number() {
    constexpr const plan_view& p = plan_of<E>::view;
    return p.variables[p.nodes[select<E, S>().node].condition].state;
}

// Not of a loop that a kernel of the user's decides about.
inline index_t iterations_of(const loop_state& loop, const char* label) {
    if (loop.ended == ending::kernel) throw error(place{label}, "is decided about by a kernel, so its iterations are not counted");
    return loop.iterations;
}

// The report of the loops of an expression in one run.
template <class E>
struct loop_report {
    static constexpr int count = count_loops(E::tree);
    loop_state loops[count + 1];
    const char* labels[count + 1];

    void read_labels(const record* first) {
        const char** to = labels;
        label_loops(E::tree, first, to);
    }

    // The same for the loop with a label. Throws error if no loop has the label, or several loops have it.
    index_t iterations(const char* label) const { return iterations_of(loops[labelled_loop(labels, count, label)], label); }
    index_t entries(const char* label) const { return loops[labelled_loop(labels, count, label)].entries; }
    ending ended_by(const char* label) const { return loops[labelled_loop(labels, count, label)].ended; }

    // Passes of a loop's body in the whole run; of an inner loop, those of all times that it was met.
    template <class S>
        requires is_fine<decltype(diagnose_counted_loop<E, S>())>
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

    // Refused calls.
    template <class S>
    auto iterations(S) const -> decltype(mistake_of<struct iterations_query, E, S>(diagnose_counted_loop<E, S>()));
    template <class S>
    auto entries(S) const -> decltype(mistake_of<struct entries_query, E, S>(diagnose_loop_selector<E, S>()));
    template <class S>
    auto ended_by(S) const -> decltype(mistake_of<struct ended_by_query, E, S>(diagnose_loop_selector<E, S>()));
};

}  // namespace cograph::core
