// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/materialize.cuh>
#include <cograph/run/owner.cuh>

namespace cograph {

// An expression as a CUDA graph, with the memory it owns. Move-only. Launches of one executable run one after another;
// memory that is bound to it must live as long as its launches.
template <class E>
class executable {
public:
    // Enqueues one run. Touches no heap; the host does not wait.
    void launch(cudaStream_t stream) {
        check(cudaGraphLaunch(exec_.get(), stream), "cudaGraphLaunch");
        stream_ = stream;
    }

    // Waits for the last launch and copies a scalar to the host.
    template <variable V>
        requires(V::kind == variable_kind::scalar)
    typename V::element fetch(V) const {
        constexpr int at = slot_of<E, typename V::tag>();
        static_cast<void>(require<std::conditional_t<(at >= 0), fine, unknown_variable<typename V::tag>>>{});
        typename V::element value{};
        check(cudaMemcpyAsync(&value, memory_[at >= 0 ? at : 0], sizeof value, cudaMemcpyDefault, stream_), "cudaMemcpyAsync", {type_name<V>()});
        check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize", {type_name<V>()});
        return value;
    }

    cudaGraph_t graph_ref() const { return graph_.get(); }
    cudaGraphExec_t exec_ref() const { return exec_.get(); }

private:
    template <expression E_, class... B>
    friend auto instantiate(E_ const&, B...);

    memory_owner arena_;
    graph_owner graph_;
    exec_owner exec_;
    cudaStream_t stream_ = nullptr;
    void* memory_[plan_of<E>::view.count.named + 1] = {};
};

// Finds the row of a node that an instantiation refused.
inline place refused_place(const frame& f, const graph_tables& t, cudaGraphNode_t node) {
    for (int r = 0; node && r < f.plan.count.rows; ++r)
        if (t.nodes[r] == node) return place_of(f, f.plan.rows[r]);
    return {};
}

inline void instantiate_graph(const frame& f, const graph_tables& t, cudaGraphExec_t* exec, driver_log& log) {
    cudaGraphInstantiateParams params{};
    const cudaError_t code = cudaGraphInstantiateWithParams(exec, t.bodies[0], &params);
    check(code, "cudaGraphInstantiate", code == cudaSuccess ? place{} : refused_place(f, t, params.errNode_out), &log);
    for (int r = 0; r < f.plan.count.rows; ++r)
        if (f.plan.rows[r].kind == row_kind::work && f.plan.rows[r].from->rule == launch_rule::per_element && shape_of(f, f.plan.rows[r]).empty)
            check(cudaGraphNodeSetEnabled(*exec, t.nodes[r], 0), "cudaGraphNodeSetEnabled", place_of(f, f.plan.rows[r]), &log);
}

// Memory of the current device, zeroed; null for no bytes.
inline void* allocate_zeroed(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    memory_owner memory;
    check(cudaMalloc(memory.put(), bytes), "cudaMalloc");
    check(cudaMemsetAsync(memory.get(), 0, bytes, cudaStreamPerThread), "cudaMemsetAsync");
    check(cudaStreamSynchronize(cudaStreamPerThread), "cudaStreamSynchronize");
    return memory.release();
}

// Makes a graph of an expression, once: auto exec = instantiate(solve, x(span), tol(1e-6)); exec.launch(stream). Throws error
// when extents or memory do not fit, cuda_error when a call fails; nothing is left behind then.
template <expression E_, class... B>
auto instantiate(E_ const& e, B... bindings) {
    using E = typename E_::self;
    require_runnable<E, B...>();
    constexpr plan_counts count = plan_of<E>::view.count;
    slot slots[count.variables + 1];
    (bind<E>(slots, bindings), ...);
    const void* payloads[count.payloads + 1];
    addresses(e.kept, payloads);
    const frame f{plan_of<E>::view, e.records, slots, payloads};
    complete_extents(f);

    driver_log log;
    executable<E> made;
    made.arena_ = memory_owner(allocate_zeroed(lay_out(f, nullptr)));
    lay_out(f, static_cast<char*>(made.arena_.get()));
    check(cudaGraphCreate(made.graph_.put(), 0), "cudaGraphCreate", {}, &log);

    const void* kernels[count.codes + 1];
    collect_kernels(kernels_of<E>::tree, kernels);
    cudaGraphNode_t nodes[count.rows + 1];
    cudaGraph_t bodies[count.regions] = {made.graph_.get()};
    cudaGraphConditionalHandle handles[count.conditions + 1] = {};
    const graph_tables tables{nodes, bodies, handles};
    materialize(f, kernels, tables, log);
    instantiate_graph(f, tables, made.exec_.put(), log);
    for (int v = 0; v < count.named; ++v) made.memory_[v] = slots[v].pointer;
    return made;
}

}  // namespace cograph
