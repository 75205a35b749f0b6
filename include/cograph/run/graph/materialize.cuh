// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/graph/add_nodes.cuh>
#include <cograph/run/kernel/fused_kernel.cuh>
#include <cograph/run/kernel/no_op_kernel.cuh>
#include <cograph/run/kernel/predicated_kernel.cuh>
#include <cograph/run/launch/non_kernel_code.cuh>

namespace cograph::core {

// What kernel node parameters cannot say.
inline void set_attributes(const frame& f, const row& r, cudaGraphNode_t node, driver_log& log) {
    if (r.kind != row_kind::work || r.from->form != node_form::kernel) return;
    const shape_values& asked = f.records[r.leaf].shape;
    if (r.from->rule != launch_rule::persistent && asked.cluster == 0 && !asked.cooperative && asked.priority == 0) return;
    const launch_attributes attributes(shape_of(f, r));
    for (unsigned i = 0; i < attributes.count; ++i)
        check_row(cudaGraphKernelNodeSetAttribute(node, attributes.all[i].id, &attributes.all[i].val), "cudaGraphKernelNodeSetAttribute", f, r, &log);
}

inline cudaKernelNodeParams kernel_params(const sized_launch& launch, const void** parameters) {
    cudaKernelNodeParams params{};
    params.func = const_cast<void*>(launch.kernel);
    params.gridDim = launch.shape.grid;
    params.blockDim = launch.shape.block;
    params.sharedMemBytes = launch.shape.shared;
    params.kernelParams = const_cast<void**>(parameters);
    return params;
}

inline cudaKernelNodeParams describe_kernel(const frame& f, const row& r, const void* code, const graph_tables& t, const void** parameters, driver_log& log) {
    const sized_launch launch = launch_of(f, r, code, &log);
    const bool is_left_out = launch.shape.empty && t.nothing;
    allow_cluster(f, r, is_left_out ? t.nothing : launch.kernel, launch.shape.cluster, &log);
    if (is_left_out) return left_out(t.nothing, launch.shape.cluster);
    allow_shared(f, r, launch.kernel, launch.shape.shared, &log);
    const bool sets = r.kind == row_kind::condition;
    parameters[0] = sets ? &t.handles[r.handle] : nullptr;
    parameter_addresses(f, r, parameters + sets);
    return kernel_params(launch, parameters);
}

// A kernel of several rows. What one thread does behind its head does not decide how large its blocks are: the head's own kernels
// do.
inline cudaKernelNodeParams describe_merged(const frame& f, int head, const void* const* kernels, const graph_tables& t, const void** parameters, driver_log& log) {
    const row& first = f.plan.rows[head];
    const void** to = parameters;
    for (int part = head; part >= 0; part = t.merged.next[part]) {
        const row& r = f.plan.rows[part];
        if (r.kind == row_kind::condition) *to++ = &t.handles[r.handle];
        parameter_addresses(f, r, to);
        to += r.argument_count;
    }
    return kernel_params(launch_of(f, first, kernels[first.code], &log, t.merged.kernels_led_by(head)), parameters);
}

inline void describe(const cudaKernelNodeParams& kernel, cudaGraphNodeParams& params) {
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = kernel.func;
    params.kernel.gridDim = kernel.gridDim;
    params.kernel.blockDim = kernel.blockDim;
    params.kernel.sharedMemBytes = kernel.sharedMemBytes;
    params.kernel.kernelParams = kernel.kernelParams;
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
        describe(describe_kernel(f, r, code, t, parts.parameters, log), params);
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

// Adds every row of the plan to the graph in t.bodies[0] and to the bodies that its conditionals make.
inline void materialize(const frame& f, const void* const* kernels, const graph_tables& t, driver_log& log) {
    make_handles(f, t, log);
    for (int region = 0; region < f.plan.count.regions; ++region) {
        row_adder rows(f, region, t);
        for (int at = f.plan.regions[region].first_row; at >= 0; at = rows.behind(at)) {
            const bool merges = t.merged.is_part(at);
            const row& r = f.plan.rows[at];
            cudaGraphNodeParams params{};
            node_parts parts;
            if (merges)
                describe(describe_merged(f, at, kernels, t, parts.parameters, log), params);
            else if (r.kind == row_kind::conditional)
                describe_conditional(r, t, params);
            else
                describe_work(f, r, kernels[r.code], t, parts, params, log);
            check_row(rows.add(at, &params), "cudaGraphAddNode", f, r, &log);
            for (int part = at; merges && part >= 0; part = t.merged.next[part]) t.nodes[part] = t.nodes[at];
            if (merges) continue;
            set_attributes(f, r, t.nodes[at], log);
            if (t.patch) t.patch_row(*t.patch, f, r, params, t.nodes[at], log);
            for (int body = 0; body < r.region_count; ++body) t.bodies[r.first_region + body] = params.conditional.phGraph_out[body];
        }
    }
}

}  // namespace cograph::core
