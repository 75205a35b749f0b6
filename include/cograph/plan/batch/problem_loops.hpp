// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/batch/batch_node.hpp>
#include <cograph/plan/report/loop_report.hpp>

namespace cograph::core {

// The loops of the problems of all batches in an expression, in program order.

// Which record of the expression is that of the loop, and the buffer to which problems report; null if there is none.
struct problem_loop {
    int record = 0;
    const variable_info* outcomes = nullptr;
};
constexpr void number_loops(const node_spec& tree, int& record, problem_loop*& to) {
    if (is_loop(tree.kind)) *to++ = {record, nullptr};
    if (!is_group(tree)) record += tree.leaves;
    for (int i = 0; i < tree.child_count; ++i) number_loops(*tree.children[i], record, to);
}
constexpr int count_problem_loops(const node_spec& tree) {
    int count = tree.inside ? count_loops(*tree.inside->tree) : 0;
    for (int i = 0; i < tree.child_count; ++i) count += count_problem_loops(*tree.children[i]);
    return count;
}

template <class E>
struct problem_loops_below;
template <class... Child>
constexpr void add_problem_loops(list<Child...>, problem_loop*& to, int& record) {
    (problem_loops_below<Child>::add(to, record), ...);
}
template <class E>
struct problem_loops_below {
    static constexpr void add(problem_loop*& to, int& record) {
        if (!is_group(E::tree)) record += E::tree.leaves;
        add_problem_loops(typename E::children{}, to, record);
    }
};
template <class Domain, int Size, class E, class... W, int... Loop, class... S>
struct problem_loops_below<batch_node<Domain, Size, E, list<report_in<W, Loop>...>, S...>> {
    static constexpr void add(problem_loop*& to, int& record) {
        [[maybe_unused]] problem_loop* const first = to;
        int inner = record + 1;
        number_loops(E::tree, inner, to);
        ((first[Loop].outcomes = W::kind == variable_kind::buffer ? &info_of<W> : nullptr), ...);
        record += 1 + E::leaves;
    }
};
template <class E>
struct problem_loops_of {
    static constexpr int count = count_problem_loops(E::tree);
    struct table {
        problem_loop all[count + 1]{};
    };
    static constexpr table find() {
        table found;
        problem_loop* to = found.all;
        int record = 0;
        problem_loops_below<E>::add(to, record);
        return found;
    }
    static constexpr table loops = find();
};

// Throws: a loop of which nothing is known.
[[noreturn]] inline void loop_of_problems_is_not_reported(const char* label) {
    throw error(place{label}, "reports to no buffer: give its batch report_of_each(ends, selector)");
}

// The report of the loops of all problems in one run.
template <class E>
struct problem_loop_report {
    static constexpr int count = problem_loops_of<E>::count;
    outcome_summary loops[count + 1];
    bool is_reported[count + 1]{};  // by report_of_each, to a buffer
    const char* labels[count + 1];

    void read_labels(const record* first) {
        for (int i = 0; i < count; ++i) labels[i] = first[problem_loops_of<E>::loops.all[i].record].label;
    }

    // Of the loop with a label. Throws error when it is that of no loop, or of several, or when problems do not report it.
    const outcome_summary& of(const char* label) const {
        const int found = labelled_loop(labels, count, label);
        if (!is_reported[found]) loop_of_problems_is_not_reported(label);
        return loops[found];
    }
};

}  // namespace cograph::core
