// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/plan.hpp>

namespace cograph::core {

// Which rows become one kernel with the condition behind them: a reduction or a node of one thread, when the condition comes
// right behind it and waits for it alone. Input: a plan. Output: by row, the condition that it is a part of, or -1; of those
// conditions, the first row. Linear.
template <int Rows>
struct deciding_rows {
    static constexpr int most_arguments = 96;
    int into[Rows + 1]{};
    int first[Rows + 1]{};
    int conditions[Rows + 1]{};  // of the kernels
    int count = 0;

    constexpr explicit deciding_rows(const plan_view& p) {
        for (int r = 0; r < p.count.rows; ++r) into[r] = first[r] = -1;
        for (int r = 0; r < p.count.rows; ++r) {
            const int behind = p.rows[r].next;
            if (behind < 0 || !is_part(p.rows[r]) || !waits_for_it_alone(p, p.rows[behind], r)) continue;
            into[r] = into[behind] = behind;
            first[behind] = r;
            conditions[count++] = behind;
        }
    }

private:
    static constexpr bool is_part(const row& r) {
        return r.kind == row_kind::work && r.from->form == node_form::kernel && !r.from->opaque &&
               (r.from->rule == launch_rule::single || r.from->rule == launch_rule::per_chunk);
    }
    static constexpr bool waits_for_it_alone(const plan_view& p, const row& condition, int r) {
        return condition.kind == row_kind::condition && condition.edge_count == 1 && p.edges[condition.first_edge] == r &&
               p.rows[r].argument_count + condition.argument_count <= most_arguments;
    }
};

template <class E>
struct deciding_of {
    static constexpr deciding_rows<plan_of<E>::size.rows> rows{plan_of<E>::view};
};

// Whether a row is the condition behind a pass of a loop.
constexpr bool is_second_condition(const plan_view& p, int r) {
    const int owner = p.regions[p.rows[r].region].owner;
    return p.rows[r].kind == row_kind::condition && owner >= 0 && p.rows[owner].handle == p.rows[r].handle;
}

// Whether an expression has conditions at all.
constexpr bool has_control(const seed& tree) {
    bool found = tree.kind != seed_kind::work && tree.kind != seed_kind::sequence && tree.kind != seed_kind::parallel;
    for (int i = 0; i < tree.child_count && !found; ++i) found = has_control(*tree.children[i]);
    return found;
}

}  // namespace cograph::core
