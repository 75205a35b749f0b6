// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/replay/formula_nan.hpp>
#include <cograph/host/check/late_test.hpp>
#include <cograph/host/check/loop_check.hpp>
#include <cograph/host/check/nan_check.hpp>
#include <cograph/host/check/node_check.hpp>
#include <cograph/host/replay/window_runs.hpp>
#include <cograph/plan/bind/observer.hpp>

namespace cograph::core {

// Checks the nodes of a simulation as they run. A node works on copies of its memory; its results are those of its
// first run there.
class check_watch final : public finding_sink {
public:
    check_watch(const frame& f, const host_function* codes, element_run& now, const check_options& options, const std::vector<element_type>& types,
                check_report& report)
        : f_(f), codes_(codes), now_(now), options_(options), types_(types), report_(report), memory_(f), windows_(f, codes, now, memory_), nodes_(f, codes, now, memory_, options, *this), loops_(f), nan_(f, *this), late_(f, codes, *this),
          iterations_(f.plan), known_(static_cast<std::size_t>(f.plan.count.nodes)) {}

    void before(const plan_node& r) {
        now_ = {};
        known_node& node = at(r);
        node.is_checked = node.runs++ % options_.every == 0 && r.kind == plan_node_kind::work && is_looked_at(r);
        if (!node.is_checked) return;
        if (node.touched.empty()) node.touched = variables_of(r);
        node.is_clean = runs_in_windows(r, node) && windows_.are_clean(r, node.touched, elements_now(f_, r), options_.hints);
        now_ = {};
        if (node.is_clean) {
            // It does the same in the caller's memory.
        } else if (works_on_copies(r)) {
            memory_.enter(node.touched);
        } else {
            node.before.clear();
            for (const touched_variable& t : node.touched)
                if (!writes(t.how)) node.before.insert(node.before.end(), bytes_of(t), bytes_of(t) + memory_.bytes(t.variable));
        }
    }

    bool after(const plan_node& r) {
        const element_run first = now_;
        known_node& node = at(r);
        if (node.is_checked) {
            if (node.is_clean) {
                node.repeats = true;
                nodes_.pass_over(r, false);
            } else if (works_on_copies(r)) {
                node.repeats = node.repeats || may_run_again(r);
                nodes_.look_at(r, node.touched, first.elements, node.checks++, may_run_again(r));
                memory_.leave(node.touched);
            } else {
                compare_inputs(r, node);
                nodes_.pass_over(r, false);
            }
        } else if (r.kind == plan_node_kind::work) {
            nodes_.pass_over(r, is_own(r));
        }
        nan_.saw(r, first);
        if (options_.hints) late_.saw(r);
        const bool goes_on = loops_.goes_on(r);
        if (!goes_on) found(r, {.kind = finding_kind::endless_loop});
        iterations_.saw(r);
        return goes_on;
    }

    // After the run: findings that need all runs of a node. A user's kernel may need memory that its host
    // implementation does not.
    void end() {
        has_ended_ = true;
        for (int i = 0; i < f_.plan.count.nodes; ++i) {
            const plan_node& r = f_.plan.nodes[i];
            const known_node& node = known_[static_cast<std::size_t>(i)];
            if (!node.repeats) continue;
            for (const touched_variable& t : node.touched) {
                const name_view name = memory_.info(t.variable).name.read();
                const bool is_opaque = r.from->traits->is_opaque;
                if (t.only_written() && !t.was_written) found(r, {.kind = finding_kind::out_not_written, .is_hint = is_opaque, .variable = name});
                if (r.from->name.mark == 0) continue;  // the library chooses what its nodes need, and some of their results are in memory of their own
                if (t.how == access_mode::read_write && !t.was_written) found(r, {.kind = finding_kind::inout_not_written, .is_hint = true, .variable = name});
                if (t.how == access_mode::read && r.from->traits->has_length && t.variable == f_.plan.arguments[r.first_argument + 1]) continue;  // the length
                if (!reads(t.how) || t.may_be_read || (writes(t.how) && !t.was_written)) continue;
                found(r, {.kind = writes(t.how) ? finding_kind::inout_not_read : finding_kind::in_not_read, .is_hint = true, .variable = name});
            }
        }
    }

    void found(const plan_node& r, finding f) override {
        if (f.is_hint && !options_.hints) return;
        f.where = place_of(f_, r);
        for (const seen& s : seen_)
            if (s.leaf == r.leaf && s.kind == f.kind && s.variable == f.variable) return;
        seen_.push_back({r.leaf, f.kind, f.variable});
        if (f.first >= 0 && r.kind == plan_node_kind::work && is_over_a_part(r)) {
            const std::vector<index_t> numbers = numbers_of_part(f_, codes_, r);
            for (index_t* const element : {&f.first, &f.second})
                if (*element >= 0) *element = numbers[static_cast<std::size_t>(*element)];
        }
        if (!has_ended_) place_in_loop(f_, iterations_, r, f);
        report_.add(f);
    }
    bool is_known(const plan_node& r, finding_kind kind) const override {
        for (const seen& s : seen_)
            if (s.leaf == r.leaf && s.kind == kind) return true;
        return false;
    }

private:
    struct known_node {
        std::vector<touched_variable> touched;
        std::vector<char> before;  // of a node that runs once: read-only variables
        index_t runs = 0;
        index_t checks = 0;  // how many of the runs were looked at
        bool is_checked = false;
        bool is_clean = false;  // as its windows show
        bool repeats = false;
    };
    struct seen {
        int leaf;
        finding_kind kind;
        name_view variable;
    };

    known_node& at(const plan_node& r) { return known_[static_cast<std::size_t>(&r - f_.plan.nodes)]; }
    char* bytes_of(const touched_variable& t) const { return static_cast<char*>(f_.slots[t.variable].pointer); }

    // The behaviour of the library's own nodes is known, if they get no memory except by element. Nodes over no
    // elements do nothing.
    bool is_looked_at(const plan_node& r) const {
        const node_traits& traits = *r.from->traits;
        if (traits.copies_memory || traits.written_elsewhere) return false;
        if (traits.counts_elements && elements_now(f_, r) == 0) return false;
        return !is_own(r);
    }
    static bool is_own(const plan_node& r) {
        bool is = r.from->traits->is_stage && r.from->name.mark == 0;
        for (int i = 0; i < r.argument_count; ++i) {
            const argument& a = r.from->arguments[i];
            is = is && (!reaches_memory(a) || a.each || a.variable->kind == variable_kind::scalar);
        }
        return is;
    }
    // Host work and captured calls may know their memory by other ways, and have effects that cannot be repeated.
    static bool works_on_copies(const plan_node& r) { return r.from->traits->is_kernel; }
    bool runs_in_windows(const plan_node& r, const known_node& node) {
        if (!works_on_copies(r) || is_over_a_part(r) || r.from->traits->is_opaque || !r.from->traits->counts_elements || !may_run_again(r)) return false;
        return window_runs::fit(node.touched, elements_now(f_, r)) && !nodes_.has_unset(node.touched, elements_now(f_, r));
    }
    // Its contents mean nothing to other nodes.
    static bool is_working_memory(const variable_info& v) { return v.internal && v.kind == variable_kind::temp; }
    // Memory that a view refers to cannot be restored.
    static bool may_run_again(const plan_node& r) {
        for (int i = 0; i < r.argument_count; ++i) {
            const argument& a = r.from->arguments[i];
            if (a.variable && a.variable->kind == variable_kind::view && writes(a.access)) return false;
        }
        return true;
    }
    std::vector<touched_variable> variables_of(const plan_node& r) const {
        std::vector<touched_variable> all;
        for (int i = 0; i < r.argument_count; ++i) {
            const argument& a = r.from->arguments[i];
            const int v = f_.plan.arguments[r.first_argument + i];
            if (!reaches_memory(a) || !memory_.is_memory(v) || is_working_memory(*a.variable)) continue;
            touched_variable* known = nullptr;
            for (touched_variable& t : all)
                if (t.variable == v) known = &t;
            if (!known) {
                all.push_back({.variable = v, .tolerance = options_.tolerance_of(a.variable), .unordered = options_.is_unordered(a.variable)});
                known = &all.back();
                for (const element_type& of : types_)
                    if (of.variable == a.variable) known->alike = of.alike;
            }
            known->how = known->how | a.access;
            known->by_element = known->by_element && a.each;
            known->whole = known->whole || (writes(a.access) && !a.each);
            known->is_result = known->is_result || (r.from->traits->reduces && i > 0 && r.from->arguments[i - 1].form == argument_form::scratch);
        }
        return all;
    }
    void compare_inputs(const plan_node& r, const known_node& node) {
        const char* before = node.before.data();
        for (const touched_variable& t : node.touched) {
            if (writes(t.how)) continue;
            const index_t written = find_different(before, bytes_of(t), memory_.count(t.variable), memory_.info(t.variable).size, [](index_t) { return true; });
            if (written >= 0) found(r, {.kind = finding_kind::in_written, .variable = memory_.info(t.variable).name.read(), .element = written});
            before += memory_.bytes(t.variable);
        }
    }

    const frame& f_;
    const host_function* codes_;
    element_run& now_;
    const check_options& options_;
    const std::vector<element_type>& types_;
    check_report& report_;
    checked_memory memory_;
    window_runs windows_;
    node_check nodes_;
    loop_check loops_;
    nan_check nan_;
    late_test_check late_;
    iteration_counter iterations_;
    std::vector<known_node> known_;
    std::vector<seen> seen_;
    bool has_ended_ = false;
};

// How a simulation holds it: when the run is over, and its frame is still there, it says the rest.
class check_handle {
public:
    explicit check_handle(check_watch* watch) : watch_(watch) {}
    check_handle(check_handle&& other) noexcept : watch_(other.watch_) { other.watch_ = nullptr; }
    ~check_handle() {
        if (watch_) watch_->end();
    }
    void before(const plan_node& r) { watch_->before(r); }
    bool after(const plan_node& r) { return watch_->after(r); }

private:
    check_watch* watch_;
};

}  // namespace cograph::core
