// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/check/node_check.hpp>

namespace cograph::core {

// Follows NaN to a decision of a loop or branch, and finds reductions that ignore NaN in a deciding value.
class nan_check {
public:
    nan_check(const frame& f, finding_sink& sink) : f_(f), sink_(sink) {
        for (int i = 0; i < f.plan.count.nodes; ++i) {
            const plan_node& r = f.plan.nodes[i];
            follows_ = follows_ || r.kind == plan_node_kind::condition || (r.from && r.from->traits && r.from->traits->reduces);
        }
        if (!follows_) return;
        formats_.resize(static_cast<std::size_t>(f.plan.count.named));
        for (int v = 0; v < f.plan.count.named; ++v) formats_[static_cast<std::size_t>(v)] = format_of(*f.plan.variables[v].info);
        for (int v = 0; v < f.plan.count.named && !has_nan_; ++v)
            if (f.plan.variables[v].read_first && holds_nan(v)) has_nan_ = true;
    }

    // After a node or condition, as its context saw it.
    void saw(const plan_node& r, const element_run& seen) {
        const index_t left_out = seen.nan_left_out;
        if (r.kind == plan_node_kind::condition && seen.computes_nan) sink_.found(r, {.kind = finding_kind::nan_in_predicate});
        if (r.kind == plan_node_kind::condition) return look_at_condition(r);
        for (int a = r.first_access; a < r.first_access + r.access_count; ++a) {
            const access& used = f_.plan.accesses[a];
            if (used.variable >= f_.plan.count.named || !writes(used.how)) continue;
            if (left_out >= 0 && r.from->traits->reduces) report_left_out(r, used.variable, left_out);
            if (!follows_ || has_nan_ || !holds_nan(used.variable)) continue;
            has_nan_ = true;
            origin_ = place_of(f_, r);
        }
    }

private:
    bool holds_nan(int v) const {
        const slot& s = f_.slots[v];
        return s.pointer && !s.object && first_nan(formats_[static_cast<std::size_t>(v)], s.pointer, static_cast<index_t>(s.count)) >= 0;
    }

    void look_at_condition(const plan_node& r) {
        if (!has_nan_) return;
        for (int a = r.first_access; a < r.first_access + r.access_count; ++a) {
            const access& used = f_.plan.accesses[a];
            if (used.variable >= f_.plan.count.named || f_.plan.variables[used.variable].info->kind != variable_kind::scalar || !holds_nan(used.variable)) continue;
            sink_.found(r, {.kind = finding_kind::nan_in_predicate, .variable = f_.plan.variables[used.variable].info->name.read(), .origin = origin_});
        }
    }

    void report_left_out(const plan_node& r, int v, index_t term) {
        if (f_.plan.variables[v].info->kind != variable_kind::scalar) return;
        finding f{.kind = finding_kind::nan_left_out, .is_hint = true, .variable = f_.plan.variables[v].info->name.read(), .first = term, .origin = origin_};
        for (int i = 0; i < f_.plan.count.nodes; ++i) {
            const plan_node& condition = f_.plan.nodes[i];
            if (condition.kind != plan_node_kind::condition) continue;
            for (int a = condition.first_access; a < condition.first_access + condition.access_count; ++a)
                if (f_.plan.accesses[a].variable == v) f.is_hint = false;
        }
        sink_.found(r, f);
    }

    const frame& f_;
    finding_sink& sink_;
    std::vector<number_format> formats_;  // by variable
    bool follows_ = false;  // whether a node asks
    bool has_nan_ = false;
    place origin_{};
};

}  // namespace cograph::core
