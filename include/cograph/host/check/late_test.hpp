// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/check/node_check.hpp>

namespace cograph::core {

// Loops whose predicate tests a scalar at the end of an iteration, although in the body a node has written it, another
// one has used it, and a third one has written it again. Hand-written code would have decided by the value that was used.
// Reported if the two values decide differently.
class late_test_check {
public:
    late_test_check(const frame& f, const host_function* codes, finding_sink& sink) : f_(f), codes_(codes), sink_(sink) {
        for (int i = 0; i < f.plan.count.nodes; ++i) {
            const plan_node& loop = f.plan.nodes[i];
            if (loop.kind != plan_node_kind::conditional || !is_loop(loop.control) || loop.control == spec_kind::repeat || loop.from->every != 1) continue;
            const plan_node& test = f.plan.nodes[f.plan.regions[loop.first_region].last_node];
            if (test.kind != plan_node_kind::condition) continue;
            for (int a = test.first_access; a < test.first_access + test.access_count; ++a) find_writer(loop, test, f.plan.accesses[a].variable);
        }
    }

    // After a node or condition.
    void saw(const plan_node& r) {
        for (late_test& t : tests_) {
            if (t.first_writer == &r) t.would_end = decide(*t.test) == 0;
            if (t.test != &r) continue;
            if (t.would_end && decide(r) == 1)
                sink_.found(r, {.kind = finding_kind::changed_after_test, .is_hint = true, .variable = f_.plan.variables[t.variable].info->name.read(),
                                .origin = place_of(f_, *t.first_writer)});
            t.would_end = false;
        }
    }

private:
    struct late_test {
        const plan_node* test;
        const plan_node* first_writer;
        int variable;
        bool would_end = false;
    };

    access_mode how_uses(const plan_node& r, int v) const {
        access_mode how = access_mode::none;
        for (int a = r.first_access; a < r.first_access + r.access_count; ++a)
            if (f_.plan.accesses[a].variable == v) how = how | f_.plan.accesses[a].how;
        return how;
    }
    void find_writer(const plan_node& loop, const plan_node& test, int v) {
        if (v >= f_.plan.count.named || f_.plan.variables[v].info->kind != variable_kind::scalar) return;
        const plan_node* first = nullptr;
        bool used = false;
        for (int i = f_.plan.regions[loop.first_region].first_node; i >= 0; i = f_.plan.nodes[i].next) {
            const plan_node& r = f_.plan.nodes[i];
            const access_mode how = how_uses(r, v);
            if (writes(how) && first && used) return tests_.push_back({&test, first, v});
            if (writes(how) && !first && r.kind == plan_node_kind::work) first = &r;
            used = used || (first && how == access_mode::read);
        }
    }
    // The present answer of a condition, with a copy of its loop's state.
    std::int64_t decide(const plan_node& test) const {
        slot& state = f_.slots[test.condition];
        loop_state copy = *static_cast<const loop_state*>(state.pointer);
        void* const kept = state.pointer;
        state.pointer = &copy;
        const void* parameters[most_parameters];
        parameter_addresses(f_, test, parameters);
        element_run nothing;
        const checking_context context{&nothing};
        const std::int64_t answer = codes_[test.code](&context, parameters);
        state.pointer = kept;
        return answer;
    }

    const frame& f_;
    const host_function* codes_;
    finding_sink& sink_;
    std::vector<late_test> tests_;
};

}  // namespace cograph::core
