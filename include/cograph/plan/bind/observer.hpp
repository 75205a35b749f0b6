// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/fill_frame.hpp>

namespace cograph::core {

// An observer of a run, node by node, on the host or on a stream: called before a node runs or is enqueued, and after
// it. A simulation continues only if `after` returns true. For loops and branches it sees the conditions and the
// contents of the bodies.
struct unwatched {
    void before(const plan_node&) {}
    bool after(const plan_node&) { return true; }
};

// Counts the iterations of loops from the nodes that a watched run shows: a loop's first condition starts the count, each of the
// others ends a iteration.
class iteration_counter {
public:
    explicit iteration_counter(const plan_view& plan) : plan_(plan), iterations_(plan.count.conditions) {}

    void saw(const plan_node& r) {
        if (!decides(r)) return;
        const int owner = plan_.regions[r.region].owner;
        const bool ends_an_iteration = owner >= 0 && plan_.nodes[owner].condition == r.condition;
        index_t& iterations = iterations_[r.condition - plan_.count.named];
        iterations = ends_an_iteration ? iterations + r.from->every : 0;
    }

    // The iteration, from 0, that a node in the body of a loop belongs to. The body of a loop that tests only after some iterations is
    // in the plan once for each of them.
    index_t iteration_of(const plan_node& r) const {
        const plan_node& loop = plan_.nodes[plan_.regions[r.region].owner];
        index_t iteration = iterations_[loop.condition - plan_.count.named];
        if (loop.from->every == 1) return iteration;
        if (decides(r) && r.condition == loop.condition) return iteration + loop.from->every - 1;
        for (int other = plan_.regions[r.region].first_node; &plan_.nodes[other] != &r; other = plan_.nodes[other].next)
            iteration += plan_.nodes[other].leaf == r.leaf && plan_.nodes[other].kind == r.kind;
        return iteration;
    }

private:
    const plan_view& plan_;
    heap_array<index_t> iterations_;
};

}  // namespace cograph::core
