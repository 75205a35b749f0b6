// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/loop_report.hpp>
#include <cograph/run/materialize.cuh>
#include <cograph/run/node_switch.cuh>
#include <cograph/run/owner.cuh>

#include <cstring>

namespace cograph::core {

// Finds the row of a node that an instantiation refused.
inline place refused_place(const frame& f, const graph_tables& t, cudaGraphNode_t node) {
    for (int r = 0; node && r < f.plan.count.rows; ++r)
        if (t.nodes[r] == node) return place_of(f, f.plan.rows[r]);
    return {};
}

inline void instantiate_graph(const frame& f, const graph_tables& t, cudaGraphExec_t* exec, driver_log& log) {
    cudaGraphInstantiateParams params{};
    for (int r = 0; r < f.plan.count.rows; ++r)
        if (f.records[f.plan.rows[r].leaf].shape.priority != 0) params.flags = cudaGraphInstantiateFlagUseNodePriority;
    const cudaError_t code = cudaGraphInstantiateWithParams(exec, t.bodies[0], &params);
    check(code, "cudaGraphInstantiateWithParams", code == cudaSuccess ? place{} : refused_place(f, t, params.errNode_out), &log);
    for (int r = 0; r < f.plan.count.rows; ++r)
        if (f.plan.rows[r].kind == row_kind::work && f.plan.rows[r].from->rule == launch_rule::per_element && shape_of(f, f.plan.rows[r]).empty)
            check_row(cudaGraphNodeSetEnabled(*exec, t.nodes[r], 0), "cudaGraphNodeSetEnabled", f, f.plan.rows[r], &log);
}

// Memory of the current device for what a run owns, the first part of it zeroed; null for no bytes.
inline void* allocate_owned(const frame& f, const arena_layout& layout, driver_log& log) {
    if (layout.bytes() == 0) return nullptr;
    memory_owner memory;
    check(cudaMalloc(memory.put(), layout.bytes()), "cudaMalloc", largest_owned(f), &log);
    if (layout.kept > 0) {
        check(cudaMemsetAsync(memory.get(), 0, layout.kept, cudaStreamPerThread), "cudaMemsetAsync", {}, &log);
        check(cudaStreamSynchronize(cudaStreamPerThread), "cudaStreamSynchronize", {}, &log);
    }
    return memory.release();
}

// A CUDA graph with the memory it owns.
class graph_run {
public:
    // Enqueues one run. Touches no heap; the host does not wait.
    void launch(cudaStream_t stream) {
        check(cudaGraphLaunch(exec_.get(), stream), "cudaGraphLaunch");
        stream_ = stream;
    }

    // Enqueues what else the first launch would do: brings the graph to the device. The host does not wait.
    void upload(cudaStream_t stream) { check(cudaGraphUpload(exec_.get(), stream), "cudaGraphUpload"); }

    // Leaves all nodes of a label out of the launches that follow, or takes them in again. Throws error when the label is of
    // no node, or of one that is no kernel of its own; nothing has changed then.
    void disable(const char* label) { switches_.turn(exec_.get(), {label}, false); }
    void enable(const char* label) { switches_.turn(exec_.get(), {label}, true); }

    // The graph and what launches it; both stay owned by this.
    cudaGraph_t graph_ref() const { return graph_.get(); }
    cudaGraphExec_t exec_ref() const { return exec_.get(); }

    // What the loop with a label did in the last launch, for which they wait: see loop_report.
    index_t iterations(const char* label) const { return fetch_loop(label).passes; }
    index_t entries(const char* label) const { return fetch_loop(label).entries; }
    ending ended_by(const char* label) const { return fetch_loop(label).ended; }

protected:
    graph_run(frame& f, const void* const* kernels, const deciding_tables& deciding = {});
    void fetch_memory(const variable_info* variable, void* to) const;
    void fetch_loops(loop_state* to) const;
    void label_loops(const seed& tree, const record* records);
    void turn(const row& node, bool on) { switches_.turn(exec_.get(), {nullptr, &node}, on); }
    bool is_on(const row& node) const { return switches_.is_on({nullptr, &node}); }

private:
    loop_state fetch_loop(const char* label) const;

    const plan_view* plan_;
    const loop_state* loops_ = nullptr;
    heap_memory labels_;  // a const char* for each loop
    memory_owner arena_;  // freed last, which waits for launches that use it
    graph_owner graph_;
    exec_owner exec_;
    cudaStream_t stream_ = nullptr;
    heap_memory memory_;  // a pointer for each variable
    node_switches switches_;
};

inline graph_run::graph_run(frame& f, const void* const* kernels, const deciding_tables& deciding)
    : plan_(&f.plan), labels_(f.plan.count.loops, sizeof(char*)), memory_(f.plan.count.named, sizeof(void*)), switches_(f.plan.count.rows, f.plan.count.leaves) {
    driver_log log;
    size_workspaces(f, kernels);
    const arena_layout layout = lay_out(f);
    arena_ = memory_owner(allocate_owned(f, layout, log));
    point(f, layout, arena_.get());
    check(cudaGraphCreate(graph_.put(), 0), "cudaGraphCreate", {}, &log);

    const heap_memory nodes(2 * f.plan.count.rows, sizeof(cudaGraphNode_t));
    const heap_memory bodies(f.plan.count.regions, sizeof(cudaGraph_t));
    const heap_memory handles(f.plan.count.handles, sizeof(cudaGraphConditionalHandle));
    const graph_tables tables{static_cast<cudaGraphNode_t*>(nodes.get()), static_cast<cudaGraphNode_t*>(nodes.get()) + f.plan.count.rows,
                              static_cast<cudaGraph_t*>(bodies.get()), static_cast<cudaGraphConditionalHandle*>(handles.get()), deciding};
    tables.bodies[0] = graph_.get();
    materialize(f, kernels, tables, log);
    instantiate_graph(f, tables, exec_.put(), log);
    switches_.take(f, tables);
    for (int v = 0; v < f.plan.count.named; ++v) static_cast<void**>(memory_.get())[v] = f.slots[v].pointer;
    if (f.plan.count.loops > 0) loops_ = states_of_loops(f);
}

inline void graph_run::label_loops(const seed& tree, const record* records) {
    const auto walk = [](auto& self, const seed& at, const record*& here, const char**& to) -> void {
        if (is_loop(at.kind)) *to++ = here->label;
        if (!is_group(at)) here += at.leaves;
        for (int i = 0; i < at.child_count; ++i) self(self, *at.children[i], here, to);
    };
    const char** to = static_cast<const char**>(labels_.get());
    walk(walk, tree, records, to);
}

inline void graph_run::fetch_loops(loop_state* to) const {
    if (!loops_) return;
    check(cudaMemcpyAsync(to, loops_, plan_->count.loops * sizeof(loop_state), cudaMemcpyDefault, stream_), "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

inline loop_state graph_run::fetch_loop(const char* label) const {
    const heap_memory all(plan_->count.loops, sizeof(loop_state));
    fetch_loops(static_cast<loop_state*>(all.get()));
    const char* const* const labels = static_cast<const char* const*>(labels_.get());
    for (int i = 0; i < plan_->count.loops; ++i)
        if (labels[i] && std::strcmp(labels[i], label) == 0) return static_cast<const loop_state*>(all.get())[i];
    throw error(place{label}, "is the label of no loop in this expression");
}

inline void graph_run::fetch_memory(const variable_info* variable, void* to) const {
    for (int v = 0; v < plan_->count.named; ++v) {
        if (plan_->variables[v].info != variable) continue;
        const place at{variable->name.read()};
        check(cudaMemcpyAsync(to, static_cast<void**>(memory_.get())[v], variable->size, cudaMemcpyDefault, stream_), "cudaMemcpyAsync", at);
        check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize", at);
    }
}

// An expression as a CUDA graph. Move-only. Launches of one executable run one after another; memory that is bound to it must
// live as long as its launches. Threads may use different executables at once, but one only in turns: guard it by a mutex.
template <class E>
class executable : public graph_run {
public:
    // Waits for the last launch and copies a scalar to the host.
    template <class V>
        requires is_fine<decltype(diagnose_fetch<E, V>())>
    typename V::element fetch(V) const {
        typename V::element value{};
        fetch_memory(&info_of<typename V::tag>, &value);
        return value;
    }
    template <class V>
    auto fetch(V) const -> decltype(mistake_of<struct fetch_call, E, V>(diagnose_fetch<E, V>()));

    // What the loops did in the last launch, for which these wait.
    loop_report<E> loops() const {
        loop_report<E> report;
        fetch_loops(report.loops);
        return report;
    }
    using graph_run::ended_by;
    using graph_run::entries;
    using graph_run::iterations;
    template <class S>
        requires(!std::is_convertible_v<S, const char*>)
    auto iterations(S loop) const -> decltype(loop_report<E>{}.iterations(loop)) {
        return loops().iterations(loop);
    }
    template <class S>
        requires(!std::is_convertible_v<S, const char*>)
    auto entries(S loop) const -> decltype(loop_report<E>{}.entries(loop)) {
        return loops().entries(loop);
    }
    template <class S>
        requires(!std::is_convertible_v<S, const char*>)
    auto ended_by(S loop) const -> decltype(loop_report<E>{}.ended_by(loop)) {
        return loops().ended_by(loop);
    }

    // Leaves one node, named by a selector, out of the launches that follow, or takes it in again. Throws error when it is part
    // of a persistent kernel.
    template <switchable_in<E> S>
    void disable(S) {
        turn(selected_row<E, S>(), false);
    }
    template <switchable_in<E> S>
    void enable(S) {
        turn(selected_row<E, S>(), true);
    }
    template <switchable_in<E> S>
    bool is_enabled(S) const {
        return is_on(selected_row<E, S>());
    }
    template <no_label S>
    auto disable(S) -> decltype(mistake_of(diagnose_switch<E, S>()));
    template <no_label S>
    auto enable(S) -> decltype(mistake_of(diagnose_switch<E, S>()));
    template <no_label S>
    auto is_enabled(S) const -> decltype(mistake_of(diagnose_switch<E, S>()));
    using graph_run::disable;
    using graph_run::enable;

    // The graph of e as Lowered plans it; where Decides, kernels take over the conditions behind them.
    template <class Lowered, bool Decides, expression E_, class... B>
    static executable make(E_ const& e, B const&... bindings) {
        frame f(plan_to_run<Lowered>(), e.records);
        fill_frame(f, e, bindings...);
        if constexpr (!std::is_same_v<Lowered, E>)
            if (is_too_large(f)) return make<E, Decides>(e, bindings...);
        const heap_memory kernels(f.plan.count.codes, sizeof(void*));
        const void** const first = static_cast<const void**>(kernels.get());
        collect_kernels(kernels_of<to_graph, list<>, list<Lowered>>::entries, first);
        deciding_tables deciding;
        if constexpr (Decides && has_control(Lowered::tree)) deciding = deciding_tables_of<Lowered>();
        executable made(f, first, deciding);
        made.label_loops(E::tree, e.records);
        return made;
    }

private:
    using graph_run::graph_run;
};

// Writes the CUDA graph of an executable, bodies and all, to a file for Graphviz, as CUDA sees it.
inline void write_cuda_dot(const graph_run& exec, const char* path) {
    check(cudaGraphDebugDotPrint(exec.graph_ref(), path, cudaGraphDebugDotFlagsVerbose), "cudaGraphDebugDotPrint");
}

// Makes a graph of an expression, once: auto exec = instantiate(solve, x(span), tol(1e-6)); exec.launch(stream). Loops of
// library nodes run as one kernel each, unless they run over more than 2^22 elements or the expression is wrapped: instantiate(node_by_node(solve), ...). Throws error
// when extents or memory do not fit, cuda_error when a call fails; nothing is left behind then.
template <expression E, class... B>
executable<typename E::self> instantiate(E const& e, B... bindings) {
    return executable<typename E::self>::template make<lowered<typename E::self>, true>(e, bindings...);
}

template <expression E>
struct node_by_node_t {
    E const& e;
};
template <expression E>
constexpr node_by_node_t<E> node_by_node(E const& e) {
    return {e};
}
template <class... A>
auto node_by_node(A const&...) -> mistake<arguments_are_not_those_of<struct node_by_node_call, A...>, struct write_node_by_node_expression>;
template <expression E, class... B>
executable<typename E::self> instantiate(node_by_node_t<E> of, B... bindings) {
    return executable<typename E::self>::template make<typename E::self, false>(of.e, bindings...);
}

}  // namespace cograph::core
