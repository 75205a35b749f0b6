// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/materialize.cuh>
#include <cograph/run/node_switch.cuh>
#include <cograph/run/patch.cuh>
#include <cograph/run/pool.cuh>

#include <cstring>

namespace cograph::core {

// Owns one object on the heap; what std::unique_ptr is, without what <memory> costs.
template <class T>
class boxed {
public:
    boxed() = default;
    explicit boxed(T* object) : object_(object) {}
    boxed(boxed&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    boxed& operator=(boxed&& other) noexcept {
        if (this != &other) delete std::exchange(object_, std::exchange(other.object_, nullptr));
        return *this;
    }
    ~boxed() { delete object_; }
    T* operator->() const { return object_; }
    T& operator*() const { return *object_; }
    T* get() const { return object_; }
    T* release() { return std::exchange(object_, nullptr); }

private:
    T* object_ = nullptr;
};

// A graph and what launches it, made of a frame.
struct made_graph {
    heap_table<cudaGraphNode_t> nodes;                   // by row
    heap_table<cudaGraphConditionalHandle> handles;      // by condition
    heap_table<bool> empty;                              // by row: disabled, since it has no elements
    patch_plan patch;
    graph_owner graph;
    exec_owner exec;

    graph_tables tables(const deciding_tables& deciding) const { return {nodes.begin(), nullptr, nullptr, handles.begin(), deciding}; }
};

// What launches before an update use, until they are over.
struct retired_run {
    event_owner over;  // null: there was none
    common_memory shared = {};
    made_graph made = {};
    retired_run* next = nullptr;
};

// All that an executable keeps, to launch its graph and to change it.
struct graph_state {
    frame f;
    heap_table<const void*> kernels;  // by code
    const patch_code* patches = nullptr;  // null: nothing is rebound often
    heap_table<bool> often = {};      // by variable: will be rebound often
    heap_table<const char*> labels = {};  // of loops
    deciding_tables deciding = {};
    memory_choice memory = {};
    int device = 0;
    arena_layout layout{0};
    owned_memory kept = {};           // scalars, counters and tickets
    common_memory shared = {};        // temps and workspaces
    heap_table<int> users = {};       // rows that take each variable, one variable behind the other
    heap_table<int> first_user = {};  // by variable, and one more
    heap_table<char> values = {};     // the objects of values and views
    heap_table<slot> before = {};     // the slots, while an update may fail
    heap_table<int> listed = {};      // rows that an update changes
    heap_table<bool> is_listed = {};
    made_graph made = {};
    node_switches switches;
    retired_run* retired = nullptr;

    // What comes before the next launch: null for nothing.
    void (*prepare)(graph_state&, cudaStream_t) = nullptr;  // and launches
    event_owner wait_for = {};
    bool upload_is_due = false, patch_is_due = false, patch_is_on = false;

    bool launched = false;
    cudaStream_t stream = nullptr;  // of the last launch

    graph_state(frame&& of, heap_table<const void*>&& codes) : f(static_cast<frame&&>(of)), kernels(static_cast<heap_table<const void*>&&>(codes)), switches(f.plan.count.rows, f.plan.count.leaves) {}
    graph_state(const graph_state&) = delete;
    graph_state& operator=(const graph_state&) = delete;
    ~graph_state() {
        while (retired) delete std::exchange(retired, retired->next);
    }

    void retire(boxed<retired_run> run) {
        if (!run->over.get()) return;
        run->next = retired;
        retired = run.release();
    }
    void drop_what_is_over() {
        for (retired_run** at = &retired; *at;) {
            const cudaError_t state = cudaEventQuery((*at)->over.get());
            if (state == cudaErrorNotReady) cudaGetLastError();
            if (state == cudaSuccess)
                delete std::exchange(*at, (*at)->next);
            else
                at = &(*at)->next;
        }
    }
};

// Finds the row of a node that an instantiation refused.
inline place refused_place(const frame& f, const made_graph& made, cudaGraphNode_t node) {
    for (int r = 0; node && r < f.plan.count.rows; ++r)
        if (made.nodes[r] == node) return place_of(f, f.plan.rows[r]);
    return {};
}

// An opaque kernel over no elements is not to run.
inline bool may_be_empty(const row& r) {
    return r.kind == row_kind::work && r.from->form == node_form::kernel && r.from->rule == launch_rule::per_element;
}

inline void instantiate_graph(const frame& f, made_graph& made, driver_log& log) {
    cudaGraphInstantiateParams params{};
    for (int r = 0; r < f.plan.count.rows; ++r)
        if (f.records[f.plan.rows[r].leaf].shape.priority != 0) params.flags = cudaGraphInstantiateFlagUseNodePriority;
    const cudaError_t code = cudaGraphInstantiateWithParams(made.exec.put(), made.graph.get(), &params);
    check(code, "cudaGraphInstantiateWithParams", code == cudaSuccess ? place{} : refused_place(f, made, params.errNode_out), &log);
    for (int r = 0; r < f.plan.count.rows; ++r) {
        made.empty[r] = may_be_empty(f.plan.rows[r]) && shape_of(f, f.plan.rows[r]).empty;
        if (made.empty[r]) check_row(cudaGraphNodeSetEnabled(made.exec.get(), made.nodes[r], 0), "cudaGraphNodeSetEnabled", f, f.plan.rows[r], &log);
    }
}

// The graph of a frame whose slots all point to memory.
inline made_graph make_graph(const frame& f, const void* const* kernels, const bool* often, const patch_code* patches, const deciding_tables& deciding, driver_log& log) {
    made_graph made;
    made.nodes = heap_table<cudaGraphNode_t>(f.plan.count.rows);
    made.handles = heap_table<cudaGraphConditionalHandle>(f.plan.count.handles);
    made.empty = heap_table<bool>(f.plan.count.rows);
    check(cudaGraphCreate(made.graph.put(), 0), "cudaGraphCreate", {}, &log);
    const heap_table<cudaGraph_t> bodies(f.plan.count.regions);
    const heap_table<cudaGraphNode_t> after(f.plan.count.rows);
    bodies[0] = made.graph.get();
    graph_tables tables{made.nodes.begin(), after.begin(), bodies.begin(), made.handles.begin(), deciding};
    if (patches) {
        made.patch.kernel = patches->kernel;
        tables.head = patches->begin(made.patch, f, often, tables, log);
        tables.patch = tables.head ? &made.patch : nullptr;
        tables.patch_row = patches->note_row;
    }
    materialize(f, kernels, tables, log);
    instantiate_graph(f, made, log);
    if (tables.head) patches->end(made.patch, made.exec.get(), log);
    return made;
}

// Zeroed memory for what keeps its contents from launch to launch.
inline owned_memory kept_memory(const frame& f, const memory_source& source, std::size_t bytes, driver_log& log) {
    owned_memory memory(source, bytes, largest_owned(f), &log);
    if (bytes == 0) return memory;
    check(cudaMemsetAsync(memory.get(), 0, bytes, cudaStreamPerThread), "cudaMemsetAsync", {}, &log);
    check(cudaStreamSynchronize(cudaStreamPerThread), "cudaStreamSynchronize", {}, &log);
    return memory;
}
inline common_memory shared_memory(const frame& f, const memory_choice& choice, std::size_t bytes, driver_log& log) {
    if (bytes == 0) return {};
    if (choice.shared) return choice.shared->at_least(bytes, largest_owned(f), &log);
    return common_memory(owned_memory(choice.source, bytes, largest_owned(f), &log));
}

// Takes over the objects of values and views, which bindings lend.
inline void own_values(graph_state& s) {
    std::size_t bytes = 0;
    for (int v = 0; v < s.f.plan.count.named; ++v)
        if (s.f.slots[v].object) bytes += s.f.plan.variables[v].info->size + s.f.plan.variables[v].info->alignment;
    s.values = heap_table<char>(bytes);
    char* to = s.values.begin();
    for (int v = 0; v < s.f.plan.count.named; ++v) {
        if (!s.f.slots[v].object) continue;
        const variable_info& info = *s.f.plan.variables[v].info;
        to += (info.alignment - reinterpret_cast<std::uintptr_t>(to) % info.alignment) % info.alignment;
        std::memcpy(to, s.f.slots[v].object, info.size);
        s.f.slots[v].object = to;
        to += info.size;
    }
}

}  // namespace cograph::core
