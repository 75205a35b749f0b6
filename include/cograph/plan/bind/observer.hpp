// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/fill_frame.hpp>

namespace cograph::core {

// What can watch a run row by row, on the host or on a stream: told before a row runs or is enqueued, and after it. A
// simulation goes on only if `after` says so. Of loops and branches it sees the conditions and what is in the bodies.
struct unwatched {
    void before(const row&) {}
    bool after(const row&) { return true; }
};

// Counts the passes of loops from the rows that a watched run shows: a loop's first condition starts the count, each of the
// others ends a pass.
class pass_counter {
public:
    explicit pass_counter(const plan_view& plan) : plan_(plan), passes_(plan.count.conditions) {}

    void saw(const row& r) {
        if (r.kind != row_kind::condition) return;
        const int owner = plan_.regions[r.region].owner;
        const bool ends_a_pass = owner >= 0 && plan_.rows[owner].condition == r.condition;
        index_t& passes = passes_[r.condition - plan_.count.named];
        passes = ends_a_pass ? passes + r.from->every : 0;
    }

    // Of a row in the body of a loop: which pass it belongs to, from 0. The body of a loop that tests after some passes only is
    // there once for each of them.
    index_t pass_of(const row& r) const {
        const row& loop = plan_.rows[plan_.regions[r.region].owner];
        index_t pass = passes_[loop.condition - plan_.count.named];
        if (loop.from->every == 1) return pass;
        if (r.kind == row_kind::condition && r.condition == loop.condition) return pass + loop.from->every - 1;
        for (int other = plan_.regions[r.region].first_row; &plan_.rows[other] != &r; other = plan_.rows[other].next)
            pass += plan_.rows[other].leaf == r.leaf && plan_.rows[other].kind == r.kind;
        return pass;
    }

private:
    const plan_view& plan_;
    heap_array<index_t> passes_;
};

}  // namespace cograph::core
