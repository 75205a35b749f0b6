// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/graph/materialize.cuh>
#include <cograph/run/graph/node_switch.cuh>
#include <cograph/run/memory/pool.cuh>
#include <cograph/run/update/device_update.cuh>

#include <cstring>

namespace cograph::core {

// A graph and its CUDA executable, made of a frame.
struct made_graph {
    heap_memory memory;                             // of the three that follow
    cudaGraphNode_t* nodes = nullptr;               // by node
    cudaGraphConditionalHandle* handles = nullptr;  // by condition
    bool* empty = nullptr;                          // by node: see is_disabled
    heap_memory told;                               // cudaKernelNodeParams by node: as changed by updates; none before the first
    device_update_plan device_update;
    graph_owner graph;
    exec_owner exec;
    heap_object parts{nullptr, nullptr};            // if it is several graphs, see host_steps.cuh
    const cudaGraphExec_t* execs = nullptr;         // then: by node
};

// The resources of launches before an update, until they are over.
struct retired_run {
    event_owner over;  // null: there was none
    common_memory shared = {};
    made_graph made = {};
    retired_run* next = nullptr;
};

// All that an executable keeps, to launch its graph and to change it.
struct graph_state {
    heap_object expression;  // whose records and literals the frame points to
    frame f;
    heap_memory memory_of_tables;         // of the three that follow
    const void** kernels;                 // by code
    const char** labels;                  // of loops
    bool* updatable;                      // by variable: will be rebound often
    const device_update_code* device_updates = nullptr;  // null: nothing is rebound often
    merged_tables merged = {};
    const void* nothing = nullptr;        // the kernel of nodes that are left out; null: they are disabled
    begin_of_run begin = nullptr;         // null: nothing comes before the nodes
    void (*make_parts)(const graph_state&, made_graph&, driver_log&) = nullptr;  // null: there is one graph
    heap_object answers{nullptr, nullptr};  // then: where the host reads decisions
    const void* nothing_programmatic = nullptr;  // the same of programmatic ones, since one was left out
    memory_choice memory = {};
    int device = 0;
    arena_layout layout{f.plan.count.variables};
    common_memory kept = {};          // scalars, counters and tickets
    common_memory shared = {};        // temps and workspaces
    heap_memory values = {};          // the objects of values and views
    heap_memory memory_of_updates = {};  // of the members that follow; none before the first update
    slot* before = nullptr;           // the slots, while an update may fail
    int* users = nullptr;             // nodes that take each variable, one variable after the other
    int* first_user = nullptr;        // by variable, and one more
    int* listed = nullptr;            // nodes that an update changes
    bool* is_listed = nullptr;
    made_graph made = {};
    // The members that a launch reads, together with the end of those before.
    void (*launch)(graph_state&, cudaStream_t) = nullptr;   // null: launch_now
    void (*prepare)(graph_state&, cudaStream_t) = nullptr;  // work before the next launch: null for nothing
    bool launched = false, wait_is_due = false, upload_is_due = false, device_update_is_due = false, device_update_is_on = false;
    cudaStream_t stream = nullptr;  // of the last launch, which may be gone since
    event_owner over = {};          // after launches: see last_launch.cuh
    bool marks_launches = false, is_marked = false;  // it follows all from now on; it follows the last
    bool is_half_changed = false;   // by an update that failed and could not be taken back
    bool is_graph_stale = false, is_capture_stale = false;  // since updates told its executable alone; captured calls among them

    heap_object launch_order{nullptr, nullptr};  // which launch takes
    event_owner wait_for = {};            // the last launch of the graph before this one, if a wait is due
    node_switches switches;
    retired_run* retired = nullptr;

    graph_state(const run_plan& of, heap_object&& copy, const record* records)
        : expression(static_cast<heap_object&&>(copy)), f(of, records),
          memory_of_tables(f.plan.count.codes + f.plan.count.loops + f.plan.count.named, sizeof(void*)),
          kernels(static_cast<const void**>(memory_of_tables.get())), labels(reinterpret_cast<const char**>(kernels + f.plan.count.codes)),
          updatable(reinterpret_cast<bool*>(labels + f.plan.count.loops)), switches(f.plan.count.nodes, f.plan.count.leaves) {}
    graph_state(const graph_state&) = delete;
    graph_state& operator=(const graph_state&) = delete;
    graph_tables tables() const { return {made.nodes, nullptr, nullptr, nullptr, made.handles, merged, nothing}; }
    ~graph_state() {
        if (launched && marks_launches) {  // memory that does not wait
            const relaxed_capture_scope allowed;
            cudaEventSynchronize(over.get());
        }
        while (retired) drop(retired);
    }

    static void drop(retired_run*& at) {
        retired_run* const over = at;
        at = over->next;
        delete over;
    }
};

// The replacement of a disabled node; null if its node is disabled in CUDA.
inline const void* stand_in(const graph_state& s, const plan_node& r) {
    if (!r.from->traits->is_kernel) return nullptr;
    return s.nothing || !s.f.records[r.leaf].shape.programmatic ? s.nothing : s.nothing_programmatic;
}

// Finds the node of a node that an instantiation refused.
inline place refused_place(const frame& f, const made_graph& made, cudaGraphNode_t node) {
    for (int r = 0; node && r < f.plan.count.nodes; ++r)
        if (made.nodes[r] == node) return place_of(f, f.plan.nodes[r]);
    return {};
}

// A kernel over no elements is not to run.
inline bool is_disabled(const frame& f, const plan_node& r, const void* nothing) {
    return !nothing && r.kind == plan_node_kind::work && r.from->traits->is_kernel && r.from->traits->counts_elements &&
           shape_of(f, r).empty;
}

inline void instantiate_graph(const graph_state& s, const made_graph& made, exec_owner& exec, driver_log& log) {
    const frame& f = s.f;
    cudaGraphInstantiateParams params{};
    for (int r = 0; r < f.plan.count.nodes; ++r) {
        const plan_node& node = f.plan.nodes[r];
        if (f.records[node.leaf].shape.priority != 0 || (node.kind == plan_node_kind::work && node.from->traits->of_ranks != rank_role::none))
            params.flags = cudaGraphInstantiateFlagUseNodePriority;
    }
    const cudaError_t code = cudaGraphInstantiateWithParams(exec.put(), made.graph.get(), &params);
    check(code, "cudaGraphInstantiateWithParams", code == cudaSuccess ? place{} : refused_place(f, made, params.errNode_out), &log);
    for (int r = 0; r < f.plan.count.nodes; ++r) {
        made.empty[r] = is_disabled(f, f.plan.nodes[r], s.nothing);
        if (made.empty[r]) check_node_call(cudaGraphNodeSetEnabled(exec.get(), made.nodes[r], 0), "cudaGraphNodeSetEnabled", f, f.plan.nodes[r], &log);
    }
}

// The graph of a state whose slots all point to memory.
inline void make_graph(const graph_state& s, made_graph& made, driver_log& log) {
    const plan_counts& count = s.f.plan.count;
    made.memory = heap_memory(2 * count.nodes + count.handles, sizeof(void*));
    made.nodes = static_cast<cudaGraphNode_t*>(made.memory.get());
    made.handles = reinterpret_cast<cudaGraphConditionalHandle*>(made.nodes + count.nodes);
    made.empty = reinterpret_cast<bool*>(made.handles + count.handles);
    if (s.make_parts) return s.make_parts(s, made, log);
    check(cudaGraphCreate(made.graph.put(), 0), "cudaGraphCreate", {}, &log);
    const heap_memory meanwhile(count.regions + count.nodes + (count.nodes + sizeof(void*) - 1) / sizeof(void*), sizeof(void*));
    cudaGraph_t* const bodies = static_cast<cudaGraph_t*>(meanwhile.get());
    bodies[0] = made.graph.get();
    cudaGraphNode_t* const after = reinterpret_cast<cudaGraphNode_t*>(bodies + count.regions);
    graph_tables tables{made.nodes, after, reinterpret_cast<bool*>(after + count.nodes), bodies, made.handles, s.merged, s.nothing};
    if (s.device_updates) {
        made.device_update.kernel = s.device_updates->kernel;
        tables.head = s.device_updates->begin(made.device_update, s.f, s.updatable, tables, log);
        tables.device_update = tables.head ? &made.device_update : nullptr;
        tables.update_node = s.device_updates->note_node;
    }
    const bool has_head = tables.head != nullptr;
    if (s.begin) {
        const heap_memory begun(count.named, sizeof(cudaGraphNode_t));
        cudaGraphNode_t* const nodes = static_cast<cudaGraphNode_t*>(begun.get());
        if (const int made_so_far = s.begin(s.f, made.graph.get(), &tables.head, has_head, nodes, log)) tables.head = nodes[made_so_far - 1];
    }
    materialize(s.f, s.kernels, tables, log);
    instantiate_graph(s, made, made.exec, log);
    if (has_head) s.device_updates->end(made.device_update, made.exec.get(), log);
}

// Zeroed memory for state that is kept from launch to launch.
inline common_memory kept_memory(const frame& f, const memory_source& source, std::size_t bytes, driver_log& log) {
    if (bytes == 0) return {};
    common_memory memory(owned_memory(source, bytes, largest_owned(f, true), &log));
    check(cudaMemsetAsync(memory.get(), 0, bytes, cudaStreamPerThread), "cudaMemsetAsync", {}, &log);
    check(cudaStreamSynchronize(cudaStreamPerThread), "cudaStreamSynchronize", {}, &log);
    return memory;
}
inline common_memory shared_memory(const graph_state& s, std::size_t bytes, driver_log& log) {
    if (bytes == 0) return {};
    if (s.memory.shared) return s.memory.shared->at_least(bytes, s.device, largest_owned(s.f, false), &log);
    return common_memory(owned_memory(s.memory.source, bytes, largest_owned(s.f, false), &log));
}

// Memory for all that a run owns.
inline void take_memory(graph_state& s, driver_log& log) {
    size_workspaces(s.f, s.kernels);
    s.layout = lay_out(s.f);
    s.kept = kept_memory(s.f, s.memory.source, s.layout.kept, log);
    s.shared = shared_memory(s, s.layout.shared, log);
    point(s.f, s.layout, s.kept.get(), s.shared.get());
}

// Takes over the objects of values and views, which bindings lend.
inline void own_values(graph_state& s) {
    std::size_t bytes = 0;
    for (int v = 0; v < s.f.plan.count.named; ++v)
        if (s.f.slots[v].object) bytes += s.f.plan.variables[v].info->size + s.f.plan.variables[v].info->alignment;
    s.values = heap_memory(bytes, 1);
    char* to = static_cast<char*>(s.values.get());
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
