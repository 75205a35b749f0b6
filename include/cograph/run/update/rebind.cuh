// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/graph/last_launch.cuh>
#include <cograph/run/launch/preflight.cuh>
#include <cograph/run/update/set_nodes.cuh>
#include <cograph/run/update/variable_users.cuh>

#include <cstring>

namespace cograph::core {

// A change of the bindings of variables: all of it or nothing. Bind the frame's slots again, then commit.
class rebinding {
public:
    explicit rebinding(graph_state& s) : s_(s), f_(s.f) {
        if (!s.before) index_users(s);
        f_.warms_up = false;
        for (int v = 0; v < f_.plan.count.variables; ++v) s_.before[v] = f_.slots[v];
    }
    ~rebinding() {
        for (int v = 0; !committed_ && v < f_.plan.count.variables; ++v) f_.slots[v] = s_.before[v];
    }
    rebinding(const rebinding&) = delete;
    rebinding& operator=(const rebinding&) = delete;

    void commit() {
        if (f_.complete_extents) f_.complete_extents(f_);
        const bool revalued = keep_equal_values();
        bool resized = any([](const slot& now, const slot& was) { return now.count != was.count || now.bound != was.bound; });
        if (resized || revalued) {
            if (f_.compute_values) f_.compute_values(f_);
            check_run(f_);
            resized |= may_resize();
        } else {
            check_bound();
        }
        if (!resized && !revalued && !s_.is_half_changed && updates_all()) {
            s_.device_update_is_due = s_.is_graph_stale = true;
            s_.prepare = &prepare_launch;
            committed_ = true;
            return;
        }
        drop_what_is_over();
        change_all(resized);
        keep_values();
        committed_ = true;
    }

private:
    template <class Differ>
    bool any(Differ differ) const {
        for (int v = 0; v < f_.plan.count.named; ++v)
            if (differ(f_.slots[v], s_.before[v])) return true;
        return false;
    }
    bool differs(int v) const {
        const slot& now = f_.slots[v];
        const slot& was = s_.before[v];
        if (now.pointer != was.pointer || now.count != was.count || std::memcmp(now.number, was.number, most_number_bytes) != 0) return true;
        return differs_in_value(v);
    }

    void check_bound() const {
        for (int v = 0; v < f_.plan.count.named; ++v) {
            if (!differs(v)) continue;
            check_memory(*f_.plan.variables[v].info, f_.slots[v]);
            for (int w = 0; w < f_.plan.count.named; ++w)
                if (w != v) check_overlap(f_, w < v ? w : v, w < v ? v : w);
        }
    }

    // Values that are bound as they were stay the executable's copies. Returns whether there are others.
    bool keep_equal_values() {
        for (int v = 0; v < f_.plan.count.named; ++v)
            if (f_.slots[v].object && !differs_in_value(v)) f_.slots[v].object = s_.before[v].object;
        return any([](const slot& now, const slot& was) { return now.object != was.object; });
    }
    bool differs_in_value(int v) const {
        const slot& now = f_.slots[v];
        const slot& was = s_.before[v];
        return now.object != was.object && (!was.object || std::memcmp(now.object, was.object, f_.plan.variables[v].info->size) != 0);
    }
    // Whether values that have changed may count elements. Views count none by themselves; formulas over them may.
    bool may_resize() const {
        for (int v = 0; v < f_.plan.count.variables; ++v) {
            const bool is_named = v < f_.plan.count.named;
            if (is_named ? f_.plan.variables[v].info->kind != variable_kind::view && f_.slots[v].object && differs_in_value(v)
                         : std::memcmp(f_.slots[v].number, s_.before[v].number, most_number_bytes) != 0)
                return true;
        }
        return false;
    }

    // New memory, as the device of the graph sees it.
    void check_reached(driver_log& log) const {
        for (int v = 0; v < f_.plan.count.named; ++v)
            if (f_.slots[v].pointer != s_.before[v].pointer) check_address(f_, v, log);
    }

    // Whether the kernel at the start of the graph can do all of it.
    bool updates_all() const {
        for (int v = 0; v < f_.plan.count.named; ++v)
            if (differs(v) && s_.made.device_update.of(v) < 0) return false;
        return s_.made.device_update.kernel != nullptr;
    }

    // The nodes that use changed variables; if one only moved, not those that take its extent.
    void find_nodes() {
        for (int v = 0; v < f_.plan.count.variables; ++v) {
            if (!differs(v)) continue;
            const bool has_old_extent = f_.slots[v].count == s_.before[v].count;
            for (int i = s_.first_user[v]; i < s_.first_user[v + 1]; ++i) {
                const int node = s_.users[i] < 0 ? ~s_.users[i] : s_.users[i];
                if (s_.is_listed[node] || (s_.users[i] < 0 && has_old_extent)) continue;
                s_.is_listed[node] = true;
                s_.listed[count_++] = node;
            }
        }
        for (int i = 0; i < count_; ++i) s_.is_listed[s_.listed[i]] = false;
    }

    // Disables in a new graph the nodes that the user disabled in the old one.
    void leave_out_again(const made_graph& made, driver_log& log) const {
        for (int at = 0; at < f_.plan.count.nodes; ++at) {
            const plan_node& r = f_.plan.nodes[at];
            if (s_.switches.is_off(at)) leave_out(f_, r, made.execs ? made.execs[at] : made.exec.get(), made.nodes[at], stand_in(s_, r), log);
        }
    }

    // Lays out temps and workspaces again; items that keep their contents stay in place.
    arena_layout lay_out_again() {
        size_workspaces(f_, s_.kernels);
        arena_layout layout = lay_out(f_);
        const heap_memory memory(f_.plan.count.variables, sizeof(bool));
        bool* const moves = static_cast<bool*>(memory.get());
        for (int i = 0; i < f_.lifetimes.count; ++i) moves[f_.lifetimes.variables[i]] = true;
        for (int v = 0; v < f_.plan.count.variables; ++v)
            if (!moves[v]) layout.offsets()[v] = s_.layout.offsets()[v];
        layout.kept = s_.layout.kept;
        return layout;
    }

    event_owner last_launch(driver_log& log) const {
        event_owner over;
        if (!s_.launched) return over;
        const cudaStream_t stream = stream_behind_launch(s_, {"update"}, &log);
        check(cudaEventCreateWithFlags(over.put(), cudaEventDisableTiming), "cudaEventCreateWithFlags", {"update"}, &log);
        check(cudaEventRecord(over.get(), stream), "cudaEventRecord", {"update"}, &log);
        return over;
    }

    // All steps that may fail come first; later steps cannot fail.
    void change_all(bool resized) {
        driver_log log(later);  // asking for its end takes as long as changing a node
        const device_scope on(s_.device);
        check_reached(log);
        arena_layout layout(0);
        common_memory shared = s_.shared;
        if (resized) {
            log.start();
            check_kernels(f_, s_.kernels, log);
            layout = lay_out_again();
            if (layout.shared > shared.bytes()) shared = shared_memory(s_, layout.shared, log);
            point(f_, layout, s_.kept.get(), shared.get());
        }
        find_nodes();
        node_setter nodes(s_, resized, log);
        bool anew = s_.is_half_changed;
        for (int i = 0; i < count_ && !anew; ++i) anew = nodes.needs_new_graph(f_.plan.nodes[s_.listed[i]]);
        heap_object old;
        if (shared.get() != s_.shared.get()) old = heap_object(new retired_run{.over = last_launch(log)}, &end_object<retired_run>);
        if (!anew) {
            expect_upload(s_);
            anew = !nodes.set(s_.listed, count_);
        }
        if (anew) {
            log.start();
            event_owner wait_for = last_launch(log);
            heap_object with_graph(new retired_run{.over = last_launch(log)}, &end_object<retired_run>);
            made_graph made;
            make_graph(s_, made, log);
            leave_out_again(made, log);
            static_cast<retired_run*>(with_graph.get())->made = static_cast<made_graph&&>(s_.made);
            s_.made = static_cast<made_graph&&>(made);
            s_.switches.take(f_, s_.merged);
            s_.wait_for = static_cast<event_owner&&>(wait_for);
            s_.wait_is_due = s_.wait_for.get() != nullptr;
            s_.device_update_is_due = s_.device_update_is_on = s_.is_half_changed = s_.is_graph_stale = s_.is_capture_stale = false;
            s_.upload_is_due = s_.made.device_update.kernel != nullptr;  // nodes may have been left out since it was brought to the device
            retire(with_graph);
        } else {
            s_.is_graph_stale = true;
            for (int i = 0; i < count_; ++i) s_.is_capture_stale |= f_.plan.nodes[s_.listed[i]].from->traits->captures;
        }
        s_.prepare = s_.wait_is_due || s_.upload_is_due || s_.device_update_is_due || s_.device_update_is_on ? &prepare_launch : nullptr;
        if (!resized) return;
        s_.layout = static_cast<arena_layout&&>(layout);
        if (!old.get()) return;
        static_cast<retired_run*>(old.get())->shared = s_.shared;
        s_.shared = shared;
        retire(old);
    }

    // Keeps the resources of a launch before this update until it is over.
    void retire(heap_object& run) {
        if (!static_cast<retired_run*>(run.get())->over.get()) return;
        retired_run* const first = static_cast<retired_run*>(run.release());
        first->next = s_.retired;
        s_.retired = first;
    }
    void drop_what_is_over() {
        if (!s_.retired) return;
        const relaxed_capture_scope allowed;
        for (retired_run** at = &s_.retired; *at;) {
            if (cudaEventQuery((*at)->over.get()) == cudaSuccess) {
                graph_state::drop(*at);
            } else {
                cudaGetLastError();
                at = &(*at)->next;
            }
        }
    }

    // The objects of values, which bindings lend.
    void keep_values() {
        for (int v = 0; v < f_.plan.count.named; ++v) {
            const void*& object = f_.slots[v].object;
            if (object == s_.before[v].object) continue;
            void* const own = const_cast<void*>(s_.before[v].object);
            std::memcpy(own, object, f_.plan.variables[v].info->size);
            object = own;
        }
    }

    graph_state& s_;
    frame& f_;
    int count_ = 0;  // of listed nodes
    bool committed_ = false;
};

}  // namespace cograph::core
