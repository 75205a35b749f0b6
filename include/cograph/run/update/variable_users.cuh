// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/cuda/device_scope.cuh>
#include <cograph/run/graph/graph_state.cuh>
#include <cograph/run/launch/preflight.cuh>

namespace cograph::core {

// Calls visit(variable, whether only its extent) for each that a node takes, some of them several times.
template <class F>
void each_taken(const plan_view& p, const plan_node& r, F visit) {
    const auto take = [&](argument_form form, int at) {
        switch (form) {
            case argument_form::kept_value:
            case argument_form::stateless:
            case argument_form::conditional_handle:
            case argument_form::count: return;
            default:
                if (at >= 0) visit(at, form == argument_form::extent);  // a node may take the loop around it, and there be none
        }
    };
    if (r.kind == plan_node_kind::conditional) return;
    for (int i = 0; i < r.argument_count; ++i) take(r.from->arguments[i].form, p.arguments[r.first_argument + i]);
    if (r.kind == plan_node_kind::work) take(r.from->domain.form, r.domain);
}

// Which nodes take each variable, by a sort that counts; those that take its extent only are inverted.
inline void index_users(graph_state& s) {
    const plan_view& p = s.f.plan;
    int taken = 0;
    for (int r = 0; r < p.count.nodes; ++r) each_taken(p, p.nodes[r], [&](int, bool) { ++taken; });
    const int words = p.count.variables + taken + 2 * p.count.nodes;
    heap_memory memory(p.count.variables * sizeof(slot) / sizeof(int) + words, sizeof(int));
    s.before = static_cast<slot*>(memory.get());
    s.first_user = reinterpret_cast<int*>(s.before + p.count.variables);
    s.users = s.first_user + p.count.variables + 1;
    s.listed = s.users + taken;
    s.is_listed = reinterpret_cast<bool*>(s.listed + p.count.nodes);
    s.memory_of_updates = static_cast<heap_memory&&>(memory);
    for (int r = 0; r < p.count.nodes; ++r) each_taken(p, p.nodes[r], [&](int v, bool) { ++s.first_user[v]; });
    int sum = 0;
    for (int v = 0; v <= p.count.variables; ++v) {
        const int count = s.first_user[v];
        s.first_user[v] = sum;
        sum += count;
    }
    for (int r = 0; r < p.count.nodes; ++r) each_taken(p, p.nodes[r], [&](int v, bool counts) { s.users[s.first_user[v]++] = counts ? ~r : r; });
    for (int v = p.count.variables; v > 0; --v) s.first_user[v] = s.first_user[v - 1];
    s.first_user[0] = 0;
}

// Enqueues the work that an update left to the next launch, even if that launch fails.
inline void prepare_launch(graph_state& s, cudaStream_t stream) {
    driver_log log;
    const cudaGraphExec_t exec = s.made.exec.get();
    if (!s.wait_is_due)
        s.wait_for = {};
    else if (const cudaError_t code = cudaStreamWaitEvent(stream, s.wait_for.get(), 0); code != cudaSuccess)
        fail_launch("cudaStreamWaitEvent", code, stream);
    if (s.device_update_is_due || s.device_update_is_on) {
        const device_scope on(s.device, {"launch"});
        if (s.device_update_is_due)
            s.made.device_update.turn_on(s.f, exec, s.device_update_is_on, log);
        else
            s.made.device_update.turn_off(exec, log);
    }
    s.device_update_is_on = s.device_update_is_due;
    if (s.upload_is_due) {
        if (const cudaError_t code = cudaGraphUpload(exec, stream); code != cudaSuccess) fail_launch("cudaGraphUpload", code, stream);
        s.upload_is_due = false;
    }
    if (!s.device_update_is_on && !s.wait_is_due) s.prepare = nullptr;  // else the next launch turns it off, or this one must succeed first
}

// Called before the host changes nodes of a graph that the device writes into: CUDA requires a new upload, and values
// unknown to the host are written again.
inline void expect_upload(graph_state& s) {
    if (!s.made.device_update.kernel) return;
    s.upload_is_due = s.device_update_is_due = true;
    s.prepare = &prepare_launch;
}

}  // namespace cograph::core
