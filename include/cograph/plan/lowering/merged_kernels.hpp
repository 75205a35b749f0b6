// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/kernel_merging.hpp>
#include <cograph/plan/lowering/lower.hpp>

namespace cograph::core {

// Which rows of a plan instantiate makes one kernel of, persistent ones aside: by row, the first of its kernel, or -1 where it
// has one of its own or is none.
struct group_view {
    const int* first;
};

// Input: the plan, that of the lowered expression, and by row of it the head that it joined. A node has its number in both.
// Of a loop that is unrolled, its first pass.
template <int Rows>
struct kernel_groups {
    int first[Rows + 1]{};

    constexpr kernel_groups(const plan_view& p, const plan_view& lowered, const int* head) {
        for (int r = 0; r < p.count.rows; ++r) first[r] = -1;
        for (int r = 0; r < lowered.count.rows; ++r) {
            const row& here = lowered.rows[r];
            if (here.from->of_further_pass) continue;
            if (head[r] >= 0 && !lowered.rows[head[r]].from->of_further_pass) first[row_in(p, lowered, r, 0)] = row_in(p, lowered, head[r], 0);
            for (int part = 0; here.from->parts && part < here.from->leaves; ++part)
                first[row_in(p, lowered, r, part)] = row_in(p, lowered, r, 0);
        }
        for (int r = 0; r < p.count.rows; ++r)
            if (first[r] == r && !has_others(r, p.count.rows)) first[r] = -1;  // the others are in further passes
    }

private:
    constexpr bool has_others(int head, int rows) const {
        for (int r = 0; r < rows; ++r)
            if (r != head && first[r] == head) return true;
        return false;
    }
    static constexpr bool is_same(const row& r, bool again, const row& other, bool other_again) {
        return r.kind != row_kind::conditional && r.leaf == other.leaf && again == other_again;
    }
    // The row of a node, or of one of the neighbours in it; of those that a loop has several times, the same one.
    static constexpr int row_in(const plan_view& p, const plan_view& lowered, int row, int part) {
        const bool again = is_second_condition(lowered, row);
        int before = 0;
        for (int r = 0; r < row; ++r) before += is_same(lowered.rows[r], is_second_condition(lowered, r), lowered.rows[row], again);
        for (int r = 0; r < p.count.rows; ++r)
            if (p.rows[r].kind != row_kind::conditional && p.rows[r].leaf == lowered.rows[row].leaf + part && is_second_condition(p, r) == again &&
                before-- == 0)
                return r;
        return row;
    }
};

template <class E>
struct groups_of {
    using plan = plan_of<lowered<E>>;
    static constexpr kernel_groups<plan_of<E>::size.rows> groups{plan_of<E>::view, plan::view, merged_of<lowered<E>>::rows.head};
    static constexpr group_view view{groups.first};
};

}  // namespace cograph::core
