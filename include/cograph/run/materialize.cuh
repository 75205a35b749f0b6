// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/code.cuh>
#include <cograph/run/launch.cuh>

namespace cograph {

// Tables that a materialization fills: by row, by region, by condition.
struct graph_tables {
    cudaGraphNode_t* nodes;
    cudaGraph_t* bodies;
    cudaGraphConditionalHandle* handles;
};

inline cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, int count, cudaGraphNodeParams* params) {
#if CUDART_VERSION >= 13000
    return cudaGraphAddNode(node, graph, after, nullptr, static_cast<std::size_t>(count), params);
#else
    return cudaGraphAddNode(node, graph, after, static_cast<std::size_t>(count), params);
#endif
}

inline void describe_kernel(const frame& f, const row& r, const void* kernel, const graph_tables& t, condition_target& target,
                            const void** parameters, cudaGraphNodeParams& params, driver_log& log) {
    const launch_shape shape = shape_of(f, r);
    allow_shared(f, r, kernel, shape.shared, &log);
    const bool sets = r.kind == row_kind::condition;
    if (sets) {
        target = {t.handles[r.condition - f.plan.count.named], nullptr};
        parameters[0] = &target;
    }
    parameter_addresses(f, r, parameters + sets);
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = const_cast<void*>(kernel);
    params.kernel.gridDim = shape.grid;
    params.kernel.blockDim = shape.block;
    params.kernel.sharedMemBytes = shape.shared;
    params.kernel.kernelParams = const_cast<void**>(parameters);
}

inline void describe_conditional(const frame& f, const row& r, const graph_tables& t, cudaGraphNodeParams& params) {
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = t.handles[r.condition - f.plan.count.named];
    params.conditional.type = is_loop(r.control)              ? cudaGraphCondTypeWhile
                              : r.control == seed_kind::when ? cudaGraphCondTypeIf
                                                             : cudaGraphCondTypeSwitch;
    params.conditional.size = static_cast<unsigned>(r.region_count);
}

// Adds every row of the plan to the graph in t.bodies[0] and to the bodies that its conditionals make.
inline void materialize(const frame& f, const void* const* kernels, const graph_tables& t, driver_log& log) {
    for (int region = 0; region < f.plan.count.regions; ++region) {
        for (int at = f.plan.regions[region].first_row; at >= 0; at = f.plan.rows[at].next) {
            const row& r = f.plan.rows[at];
            cudaGraphNodeParams params{};
            condition_target target{};
            const void* parameters[most_parameters];
            if (r.kind == row_kind::conditional) {
                describe_conditional(f, r, t, params);
            } else {
                // A condition comes before its conditional, or inside the body: the first of them makes the handle.
                cudaGraphConditionalHandle* const handle = r.condition < 0 ? nullptr : &t.handles[r.condition - f.plan.count.named];
                if (handle && f.plan.regions[region].owner != at && *handle == 0)
                    check(cudaGraphConditionalHandleCreate(handle, t.bodies[0], 0, 0), "cudaGraphConditionalHandleCreate", place_of(f, r), &log);
                describe_kernel(f, r, kernels[r.code], t, target, parameters, params, log);
            }
            cudaGraphNode_t after[64];
            cudaGraphNode_t* waits = after;
            struct heap {
                cudaGraphNode_t* nodes = nullptr;
                ~heap() { delete[] nodes; }
            } many;
            if (r.edge_count > 64) waits = many.nodes = new cudaGraphNode_t[r.edge_count];
            for (int e = 0; e < r.edge_count; ++e) waits[e] = t.nodes[f.plan.edges[r.first_edge + e]];
            check(add_node(&t.nodes[at], t.bodies[region], waits, r.edge_count, &params), "cudaGraphAddNode", place_of(f, r), &log);
            for (int body = 0; body < r.region_count; ++body) t.bodies[r.first_region + body] = params.conditional.phGraph_out[body];
        }
    }
}

}  // namespace cograph
