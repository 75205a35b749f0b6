// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/report/loop_report.hpp>
#include <cograph/run/graph/last_launch.cuh>
#include <cograph/run/kernel/no_op_kernel.cuh>
#include <cograph/run/launch/preflight.cuh>
#include <cograph/run/refused/run.cuh>
#include <cograph/run/update/rebind.cuh>
#include <cograph/run/update/refresh_graph.cuh>

#include <concepts>
#include <type_traits>

namespace cograph::core {

// Operations of some graphs only; null for others.
struct graph_needs {
    void (*check_driver)(const frame&, driver_log&) = nullptr;
    void (*own_values)(graph_state&) = nullptr;
    void (*take_memory)(graph_state&, driver_log&) = nullptr;
    void (*serialize_launches)(graph_state&, driver_log&) = nullptr;
    bool makes_graph = true;  // else it is only to join others
};

inline void launch_now(graph_state& s, cudaStream_t stream) {
    if (s.is_half_changed)
        throw error({"launch"}, "The graph is half changed: an update failed, and so did its undoing. Update it again, or instantiate it again.");
    const bool marks = s.marks_launches || is_another_in_other_threads(stream);
    if (marks) make_event_of_launches(s, "launch");
    if (s.prepare) s.prepare(s, stream);
    if (const cudaError_t code = cudaGraphLaunch(s.made.exec.get(), stream); code != cudaSuccess) fail_launch("cudaGraphLaunch", code, stream);
    s.wait_is_due = s.device_update_is_due = false;
    s.stream = stream;
    s.launched = true;
    s.is_marked = marks;
    if (marks) record_behind_launch(s.over.get(), stream);
}

// A CUDA graph with the memory it owns.
class graph_run {
public:
    // Enqueues one run. Touches no heap; the host does not wait. Graphs with loops or branches that are conditional nodes run one
    // after another on a device, unless allow_concurrent_graphs is on.
    void launch(cudaStream_t stream) {
        graph_state& s = state();
        if (on_captured_streams.launch && on_captured_streams.launch(s, stream)) return;
        s.launch ? s.launch(s, stream) : launch_now(s, stream);
    }

    // Enqueues the other work of the first launch: brings the graph to the device. The host does not wait.
    void upload(cudaStream_t stream) {
        if (const cudaError_t code = cudaGraphUpload(state().made.exec.get(), stream); code != cudaSuccess)
            fail_launch("cudaGraphUpload", code, stream, {"upload"});
    }

    // Whether the last launch has ended; true before the first. The first query after a launch records an event on
    // its stream, so work enqueued there meanwhile has ended, too. A launch that joined a capture does not count.
    bool query() {
        graph_state& s = state();
        if (!s.launched) return true;
        const device_scope on(s.device, {"query"});
        return is_over(event_behind_launch(s, "query"), "query");
    }
    // The host waits for the same.
    void wait() {
        graph_state& s = state();
        if (!s.launched) return;
        const device_scope on(s.device, {"wait"});
        wait_until_over(event_behind_launch(s, "wait"), "wait");
    }

    // The memory of its temps, for another executable: instantiate(e, exec.memory(), ...).
    const memory_choice& memory() const { return state().memory; }

    // Rebuilds the CUDA executable after its owner changed the graph: graph_ref() may have further nodes and edges.
    // The nodes of the expression must still be there. Throws error for graphs with conditional nodes, which CUDA
    // instantiates once; nothing has changed then.
    void instantiate_again();

    // Leaves all nodes of a label out of the launches that follow, or takes them in again. Throws error when the label is of
    // no node, or of one that is no kernel of its own; nothing has changed then.
    template <std::convertible_to<const char*> Label>
    void disable(Label label) {
        turn({label}, false, reinterpret_cast<const void*>(&do_nothing<1>));
    }
    void enable(const char* label) { turn({label}, true); }

    // The graph and its CUDA executable. Both stay owned by this, and are null after a move. An update changes the
    // executable, or makes both again; the graph follows when it is asked for, and throws error if a captured call in
    // it cannot.
    cudaGraph_t graph_ref() const {
        if (!state_.get()) return nullptr;
        if (state().is_graph_stale) refresh_graph(state());
        return state().made.graph.get();
    }
    cudaGraphExec_t exec_ref() const { return state_.get() ? state().made.exec.get() : nullptr; }

    // The report of the loop with a label in the last launch, for which they wait: see loop_report.
    index_t iterations(const char* label) const { return iterations_of(fetch_loop(label), label); }
    index_t entries(const char* label) const { return fetch_loop(label).entries; }
    ending ended_by(const char* label) const { return fetch_loop(label).ended; }

    // Whether its graph has conditional nodes: launches of such graphs are serialized on a device.
    bool has_conditional_nodes() const { return state().f.plan.count.handles > 0; }

    // The memory that this owns.
    memory_footprint memory_usage() const { return use_of(state().f, state().layout); }

protected:
    // Of an expression on the heap, with these records; without a graph until complete.
    graph_run(const run_plan& plan, heap_object&& expression, const record* records)
        : state_(new graph_state(plan, static_cast<heap_object&&>(expression), records), &end_object<graph_state>) {}
    // Allocates the memory of a filled frame and makes its graph.
    void complete(const memory_choice& memory, const graph_needs& needs);
    void fetch_memory(const variable_info* variable, void* to) const;
    void fetch_loops(loop_state* to) const;
    void fetch_from(const void* from, std::size_t bytes, void* to, place at) const;
    // The disabled nodes, with the kernel that replaces programmatic ones.
    void turn(node_choice chosen, bool on, const void* nothing = nullptr);
    bool is_on(const plan_node& node) const { return state().switches.is_on({nullptr, &node}); }
    graph_state& state() const {
        if (!state_.get()) throw error({}, "This executable was moved away: use the one that it was moved to.");
        return *static_cast<graph_state*>(state_.get());
    }

private:
    friend struct reader_of_runs;  // for reports of nodes, in headers that few programs include
    loop_state fetch_loop(const char* label) const;
    heap_object state_;
};

inline void graph_run::complete(const memory_choice& memory, const graph_needs& needs) {
    graph_state& s = state();
    driver_log log;
    s.memory = memory;
    s.f.captures_on = memory.captures_on;
    s.device = check_machine(s.f, s.kernels, log);
    if (needs.check_driver) needs.check_driver(s.f, log);
    if (needs.own_values) needs.own_values(s);
    if (needs.take_memory) {
        needs.take_memory(s, log);
        if (!memory.source.waits) mark_launches(s, &log);
    }
    s.switches.take(s.f, s.merged);
    if (!needs.makes_graph) return;
    if (needs.serialize_launches) needs.serialize_launches(s, log);
    make_graph(s, s.made, log);
}

inline void graph_run::instantiate_again() {
    graph_state& s = state();
    if (has_conditional_nodes()) throw error({"instantiate_again"}, "is asked of a graph with conditional nodes, which CUDA instantiates only once: use add_to and a graph of your own");
    if (s.made.device_update.kernel) throw error({"instantiate_again"}, "is asked of a graph with device_updatable memory, whose nodes belong to the executable that launches it now");
    if (s.is_half_changed) throw error({"instantiate_again"}, "is asked of a graph that is half changed: update it again first");
    if (s.is_graph_stale) refresh_graph(s);
    const device_scope on(s.device, {"instantiate_again"});
    driver_log log;
    exec_owner made;
    instantiate_graph(s, s.made, made, log);
    for (int at = 0; at < s.f.plan.count.nodes; ++at) {
        const plan_node& r = s.f.plan.nodes[at];
        if (s.switches.is_off(at)) leave_out(s.f, r, made.get(), s.made.nodes[at], stand_in(s, r), log);
    }
    s.made.exec = static_cast<exec_owner&&>(made);  // CUDA ends the other one after its launches
}

inline void graph_run::turn(node_choice chosen, bool on, const void* nothing) {
    graph_state& s = state();
    if (nothing) s.nothing_programmatic = nothing;
    const device_scope on_device(s.device);
    driver_log log;
    node_setter nodes(s, false, log);
    expect_upload(s);
    s.switches.turn(chosen, on, [&](int r, bool off) { nodes.leave_out(r, off); }, s.is_half_changed);
}

inline void graph_run::fetch_memory(const variable_info* variable, void* to) const {
    const frame& f = state().f;
    for (int v = 0; v < f.plan.count.named; ++v) {
        if (f.plan.variables[v].info != variable) continue;
        fetch_from(f.slots[v].pointer, variable->size, to, {variable->name.read()});
    }
}

inline void graph_run::fetch_from(const void* from, std::size_t bytes, void* to, place at) const {
    const device_scope on(state().device, at);
    const cudaStream_t stream = stream_behind_launch(state(), at);
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "cudaMemcpyAsync", at);
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize", at);
}

inline void graph_run::fetch_loops(loop_state* to) const {
    const frame& f = state().f;
    if (f.plan.count.loops == 0) return;
    fetch_from(states_of_loops(f), f.plan.count.loops * sizeof(loop_state), to, {"loops"});
}

inline loop_state graph_run::fetch_loop(const char* label) const {
    const int loops = state().f.plan.count.loops;
    const int found = labelled_loop(state().labels, loops, label);
    const heap_memory memory(loops, sizeof(loop_state));
    loop_state* const all = static_cast<loop_state*>(memory.get());
    fetch_loops(all);
    return all[found];
}

// Writes the CUDA graph of an executable, bodies and all, to a file for Graphviz, as CUDA sees it.
inline void write_cuda_dot(const graph_run& exec, const char* path) {
    check(cudaGraphDebugDotPrint(exec.graph_ref(), path, cudaGraphDebugDotFlagsVerbose), "cudaGraphDebugDotPrint");
}

}  // namespace cograph::core
