// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/graph/graph_state.cuh>

namespace cograph::core {

// Changes nodes of an existing graph to the present bindings of their variables. The driver's code leaves nothing of
// ours in the first-level cache, so the work for each node is kept small: its launch is computed once, and again when
// extents change.
class node_setter {
public:
    node_setter(graph_state& s, bool resized, driver_log& log) : s_(s), f_(s.f), resized_(resized), log_(log) {
        if (!s.made.told.get()) s.made.told = heap_memory(f_.plan.count.nodes, sizeof(cudaKernelNodeParams));
    }

    // Whether a node became something that only a new graph can be. While no extent and no value changes no kernel's shape does.
    bool needs_new_graph(const plan_node& r) {
        if (r.kind != plan_node_kind::work) return false;
        if (!r.from->traits->is_kernel) return !r.from->traits->captures;
        if (!resized_) return false;
        const launch_shape now = shape_of(f_, r);
        const as_before for_now(*this);
        const launch_shape was = shape_of(f_, r);
        const bool other_kernel = r.from->traits->persistent && may_take_other_kernel(now, was);
        const bool updated = s_.made.device_update.kernel && s_.nothing;  // then a node that does nothing cannot be written into
        const bool rewired = !s_.nothing && f_.records[r.leaf].shape.programmatic && now.empty != was.empty;  // its edges are ordinary ones while it is empty
        return rewired || now.cluster != was.cluster || now.cooperative != was.cooperative || other_kernel || (updated && now.empty != was.empty);
    }

    // Changes nodes in the graph; false if a captured call enqueues other work than before, which takes a new graph.
    // If it fails, the nodes have their previous parameters.
    bool set(const int* nodes, int count) {
        int at = 0;
        try {
            for (; at < count; ++at) set(nodes[at]);
            return true;
        } catch (const cuda_error&) {
            undo(nodes, at);
            if (!f_.plan.nodes[nodes[at]].from->traits->captures) throw;
            return false;
        } catch (...) {
            undo(nodes, at);
            throw;
        }
    }

    // Leaves a node out of launches, or takes it in.
    void leave_out(int at, bool off) {
        const plan_node& r = f_.plan.nodes[at];
        if (!stand_in(s_, r)) return enable(at, !off && !s_.made.empty[at]);
        if (s_.made.device_update.kernel)
            throw error(place_of(f_, r), "cannot be left out while a binding of this graph is device_updatable(...), since the graph has loops or branches "
                                         "or the kernel is programmatic: bind without it");
        set_anew(at, off);
    }

private:
    // While this lives, the slots are those before the update.
    struct as_before {
        explicit as_before(node_setter& to) : f(to.f_), now(f.slots) { f.slots = to.s_.before; }
        ~as_before() { f.slots = now; }
        as_before(const as_before&) = delete;
        as_before& operator=(const as_before&) = delete;
        frame& f;
        slot* const now;
    };

    void undo(const int* nodes, int failed) noexcept {
        const as_before for_now(*this);
        const int changed = failed + is_told_;
        for (int at = 0; at < changed; ++at) {
            try {
                set(nodes[at]);
            } catch (...) {
                s_.is_half_changed = true;
            }
        }
    }

    void set(int at) {
        is_told_ = false;
        const cudaKernelNodeParams& told = static_cast<const cudaKernelNodeParams*>(s_.made.told.get())[at];
        if (resized_ || !told.func) return set_anew(at, s_.switches.is_off(at));
        const plan_node& r = f_.plan.nodes[at];
        const void* parameters[most_parameters];
        const bool sets = r.kind == plan_node_kind::condition;
        parameters[0] = sets ? &s_.made.handles[r.handle] : nullptr;
        parameter_addresses(f_, r, parameters + sets, r.handle >= 0 ? &s_.made.handles[r.handle] : nullptr);
        cudaKernelNodeParams params = told;
        params.kernelParams = const_cast<void**>(parameters);
        tell(at, params);
    }

    void tell(int at, const cudaKernelNodeParams& params) {
        const auto tell_driver = [&] { return cudaGraphExecKernelNodeSetParams(s_.made.execs ? s_.made.execs[at] : s_.made.exec.get(), s_.made.nodes[at], &params); };
        if (tell_driver() != cudaSuccess) {
            log_.start();
            check_node_call(tell_driver(), "cudaGraphExecKernelNodeSetParams", f_, f_.plan.nodes[at], &log_);  // once more, for the driver's message about it
            cudaGetLastError();
        }
        is_told_ = true;
    }

    void set_anew(int at, bool off) {
        const plan_node& r = f_.plan.nodes[at];
        const void* const code = s_.kernels[r.code];
        if (r.from->traits->captures) {
            log_.start();
            cudaGraphNodeParams params{};
            graph_owner captured;
            other_code_at(code).describe(f_, r, other_code_at(code), s_.made.graph.get(), captured, params, log_);
            const cudaGraphExec_t exec = s_.made.execs ? s_.made.execs[at] : s_.made.exec.get();
            check_node_call(is_moved(params) ? cudaErrorNotSupported : cudaGraphExecChildGraphNodeSetParams(exec, s_.made.nodes[at], captured.get()),
                      "cudaGraphExecChildGraphNodeSetParams", f_, r, &log_);
            is_told_ = true;
            return;
        }
        const void* parameters[most_parameters];
        cudaKernelNodeParams params;
        if (const void* const nothing = off ? stand_in(s_, r) : nullptr)
            params = disabled_nodes(f_, r, nothing, log_);
        else if (s_.merged.is_part(at))
            params = describe_merged(f_, s_.merged.head[at], s_.kernels, s_.tables(), parameters, log_);
        else
            params = describe_kernel(f_, r, code, s_.tables(), parameters, log_);
        tell(at, params);
        if (!s_.merged.is_part(at)) static_cast<cudaKernelNodeParams*>(s_.made.told.get())[at] = params;
        const bool empty = is_disabled(f_, r, s_.nothing);
        if (empty == s_.made.empty[at]) return;
        enable(at, !empty && !off);
        s_.made.empty[at] = empty;
    }

    void enable(int at, bool on) {
        core::enable(f_, f_.plan.nodes[at], s_.made.execs ? s_.made.execs[at] : s_.made.exec.get(), s_.made.nodes[at], on, log_);
    }

    graph_state& s_;
    frame& f_;
    const bool resized_;
    bool is_told_ = false;  // something of the node that was set last
    driver_log& log_;
};

}  // namespace cograph::core
