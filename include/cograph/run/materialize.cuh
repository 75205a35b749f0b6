// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/code.cuh>
#include <cograph/run/fused_elements.cuh>
#include <cograph/run/guarded.cuh>
#include <cograph/run/launch.cuh>
#include <cograph/run/merged.cuh>
#include <cograph/run/other_code.cuh>

namespace cograph::core {

// Tables that a materialization fills: by row, by region, by condition.
struct graph_tables {
    cudaGraphNode_t* nodes;
    cudaGraphNode_t* after;  // those that one row waits for
    cudaGraph_t* bodies;
    cudaGraphConditionalHandle* handles;
    merged_tables merged = {};
    struct patch_plan* patch = nullptr;  // of nodes that are written into from the device
    cudaGraphNode_t head = nullptr;      // then: the node that does so, in front of all
    // Makes a node one that can be written into; only programs that need it have it.
    void (*patch_row)(patch_plan&, const frame&, const row&, const cudaGraphNodeParams&, cudaGraphNode_t, driver_log&) = nullptr;
};

inline cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, const cudaGraphEdgeData* kinds, int count, cudaGraphNodeParams* params) {
#if CUDART_VERSION >= 13000
    return cudaGraphAddNode(node, graph, after, kinds, static_cast<std::size_t>(count), params);
#else
    return cudaGraphAddNode_v2(node, graph, after, kinds, static_cast<std::size_t>(count), params);
#endif
}

// Adds a row behind those that it waits for, and where it waits for none behind `first`, if there is one. In a body that is its
// first node: the driver fails launches now and then where the nodes of a body fall apart into groups (driver 580 on an H200; see
// docs/reliability.md). From one programmatic kernel to another leads an edge of that kind.
inline cudaError_t add_row(const frame& f, const row& r, cudaGraphNode_t first, const graph_tables& t, cudaGraphNode_t* node, cudaGraphNodeParams* params) {
    int count = 0;
    for (int e = 0; e < r.edge_count; ++e) {
        const int other = f.plan.edges[r.first_edge + e];
        bool repeated = false;  // rows of one kernel
        for (int i = 0; i < count && t.merged.is_part(other); ++i) repeated |= t.after[i] == t.nodes[other];
        if (!repeated) t.after[count++] = t.nodes[other];
    }
    if (first && count == 0) return add_node(node, t.bodies[r.region], &first, nullptr, 1, params);
    if (count < r.edge_count || !is_programmatic(f, r)) return add_node(node, t.bodies[r.region], t.after, nullptr, count, params);
    const heap_memory memory(static_cast<std::size_t>(r.edge_count), sizeof(cudaGraphEdgeData));
    cudaGraphEdgeData* const kinds = static_cast<cudaGraphEdgeData*>(memory.get());
    for (int e = 0; e < r.edge_count; ++e) {
        if (!is_programmatic(f, f.plan.rows[f.plan.edges[r.first_edge + e]])) continue;
        kinds[e].type = cudaGraphDependencyTypeProgrammatic;
        kinds[e].from_port = cudaGraphKernelNodePortProgrammatic;
    }
    return add_node(node, t.bodies[r.region], t.after, kinds, r.edge_count, params);
}

// What kernel node parameters cannot say.
inline void set_attributes(const frame& f, const row& r, cudaGraphNode_t node, driver_log& log) {
    if (r.kind != row_kind::work || r.from->form != node_form::kernel) return;
    const shape_values& asked = f.records[r.leaf].shape;
    if (r.from->rule != launch_rule::persistent && asked.cluster == 0 && !asked.cooperative && asked.priority == 0) return;
    const launch_attributes attributes(shape_of(f, r));
    for (unsigned i = 0; i < attributes.count; ++i)
        check_row(cudaGraphKernelNodeSetAttribute(node, attributes.all[i].id, &attributes.all[i].val), "cudaGraphKernelNodeSetAttribute", f, r, &log);
}

inline void describe_kernel(const frame& f, const row& r, const void* kernel, const graph_tables& t, const void** parameters, cudaGraphNodeParams& params, driver_log& log) {
    launch_shape shape = shape_of(f, r);
    kernel = choose_kernel(f, r, kernel, shape, &log);
    allow_shared(f, r, kernel, shape.shared, &log);
    allow_cluster(f, r, kernel, shape.cluster, &log);
    const bool sets = r.kind == row_kind::condition;
    parameters[0] = sets ? &t.handles[r.handle] : nullptr;
    parameter_addresses(f, r, parameters + sets);
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = const_cast<void*>(kernel);
    params.kernel.gridDim = shape.grid;
    params.kernel.blockDim = shape.block;
    params.kernel.sharedMemBytes = shape.shared;
    params.kernel.kernelParams = const_cast<void**>(parameters);
}

inline void describe_conditional(const row& r, const graph_tables& t, cudaGraphNodeParams& params) {
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = t.handles[r.handle];
    params.conditional.type = is_loop(r.control)              ? cudaGraphCondTypeWhile
                              : r.control == seed_kind::when ? cudaGraphCondTypeIf
                                                             : cudaGraphCondTypeSwitch;
    params.conditional.size = static_cast<unsigned>(r.region_count);
}

// What a node's parameters lead to until the node is added, when CUDA copies it.
struct node_parts {
    const void* parameters[most_parameters];
    graph_owner child;
};

inline void describe_work(const frame& f, const row& r, const void* code, const graph_tables& t, node_parts& parts, cudaGraphNodeParams& params, driver_log& log) {
    if (r.from->form == node_form::kernel)
        describe_kernel(f, r, code, t, parts.parameters, params, log);
    else
        other_code_at(code).describe(f, r, other_code_at(code), t.bodies[0], parts.child, params, log);
}

inline void make_handles(const frame& f, const graph_tables& t, driver_log& log) {
    for (int at = 0; at < f.plan.count.rows; ++at) {
        const row& r = f.plan.rows[at];
        if (r.kind == row_kind::conditional)
            check_row(cudaGraphConditionalHandleCreate(&t.handles[r.handle], t.bodies[0], 0, 0),
                      "cudaGraphConditionalHandleCreate", f, r, &log);
    }
}

// A kernel of several rows. What one thread does behind its head does not decide how large its blocks are: the head's own kernels
// do.
inline void describe_merged(const frame& f, int head, const void* const* kernels, const graph_tables& t, const void** parameters, cudaGraphNodeParams& params, driver_log& log) {
    const row& first = f.plan.rows[head];
    launch_shape shape = shape_of(f, first);
    const void* const kernel = choose_kernel(f, first, kernels[first.code], shape, &log, t.merged.kernels_led_by(head));
    const void** to = parameters;
    for (int part = head; part >= 0; part = t.merged.next[part]) {
        const row& r = f.plan.rows[part];
        if (r.kind == row_kind::condition) *to++ = &t.handles[r.handle];
        parameter_addresses(f, r, to);
        to += r.argument_count;
    }
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = const_cast<void*>(kernel);
    params.kernel.gridDim = shape.grid;
    params.kernel.blockDim = shape.block;
    params.kernel.sharedMemBytes = shape.shared;
    params.kernel.kernelParams = const_cast<void**>(parameters);
}

// Adds every row of the plan to the graph in t.bodies[0] and to the bodies that its conditionals make.
inline void materialize(const frame& f, const void* const* kernels, const graph_tables& t, driver_log& log) {
    make_handles(f, t, log);
    for (int region = 0; region < f.plan.count.regions; ++region) {
        cudaGraphNode_t first = region == 0 ? t.head : nullptr;
        for (int at = f.plan.regions[region].first_row; at >= 0; at = f.plan.rows[at].next) {
            const bool merges = t.merged.is_part(at);
            if (merges && t.merged.head[at] != at) continue;
            const row& r = f.plan.rows[at];
            cudaGraphNodeParams params{};
            node_parts parts;
            if (merges)
                describe_merged(f, at, kernels, t, parts.parameters, params, log);
            else if (r.kind == row_kind::conditional)
                describe_conditional(r, t, params);
            else
                describe_work(f, r, kernels[r.code], t, parts, params, log);
            check_row(add_row(f, r, first, t, &t.nodes[at], &params), "cudaGraphAddNode", f, r, &log);
            if (region != 0 && !first) first = t.nodes[at];
            for (int part = at; merges && part >= 0; part = t.merged.next[part]) t.nodes[part] = t.nodes[at];
            if (merges) continue;
            set_attributes(f, r, t.nodes[at], log);
            if (t.patch) t.patch_row(*t.patch, f, r, params, t.nodes[at], log);
            for (int body = 0; body < r.region_count; ++body) t.bodies[r.first_region + body] = params.conditional.phGraph_out[body];
        }
    }
}

}  // namespace cograph::core
