// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/graph/add_nodes.cuh>
#include <cograph/run/kernel/box/planes_with_result_kernel.cuh>
#include <cograph/run/kernel/box/steps_in_a_pass_kernel.cuh>
#include <cograph/run/kernel/box/steps_in_strips_kernel.cuh>
#include <cograph/run/kernel/fused_kernel.cuh>
#include <cograph/run/kernel/no_op_kernel.cuh>
#include <cograph/run/kernel/predicated_kernel.cuh>
#include <cograph/run/launch/non_kernel_code.cuh>

namespace cograph::core {

// Facts that kernel node parameters cannot express.
inline void set_attributes(const frame& f, const plan_node& r, cudaGraphNode_t node, driver_log& log) {
    if (r.kind != plan_node_kind::work || !r.from->traits->is_kernel) return;
    const shape_values& asked = f.records[r.leaf].shape;
    if (!r.from->traits->persistent && asked.cluster == 0 && !asked.cooperative && asked.priority == 0) return;
    const launch_attributes attributes(shape_of(f, r));
    for (unsigned i = 0; i < attributes.count; ++i)
        check_node_call(cudaGraphKernelNodeSetAttribute(node, attributes.all[i].id, &attributes.all[i].val), "cudaGraphKernelNodeSetAttribute", f, r, &log);
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

inline cudaKernelNodeParams describe_kernel(const frame& f, const plan_node& r, const void* code, const graph_tables& t, const void** parameters, driver_log& log) {
    const sized_launch launch = launch_of(f, r, code, &log);
    const bool is_disabled = launch.shape.empty && t.nothing;
    allow_cluster(f, r, is_disabled ? t.nothing : launch.kernel, launch.shape.cluster, &log);
    if (is_disabled) return disabled_nodes(t.nothing, launch.shape.cluster);
    allow_shared(f, r, launch.kernel, launch.shape.shared, &log);
    const bool sets = r.kind == plan_node_kind::condition;
    parameters[0] = sets ? &t.handles[r.handle] : nullptr;
    parameter_addresses(f, r, parameters + sets, r.handle >= 0 ? &t.handles[r.handle] : nullptr);
    return kernel_params(launch, parameters);
}

// A merged kernel. Its head's own kernels decide the size of its blocks, not the later work of one thread.
inline cudaKernelNodeParams describe_merged(const frame& f, int head, const void* const* kernels, const graph_tables& t, const void** parameters, driver_log& log) {
    const plan_node& first = f.plan.nodes[head];
    const void** to = parameters;
    for (int part = head; part >= 0; part = t.merged.next[part]) {
        const plan_node& r = f.plan.nodes[part];
        if (r.kind == plan_node_kind::condition) *to++ = &t.handles[r.handle];
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

inline void describe_conditional(const plan_node& r, const graph_tables& t, cudaGraphNodeParams& params) {
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = t.handles[r.handle];
    params.conditional.type = is_loop(r.control)              ? cudaGraphCondTypeWhile
                              : r.control == spec_kind::when ? cudaGraphCondTypeIf
                                                             : cudaGraphCondTypeSwitch;
    params.conditional.size = static_cast<unsigned>(r.region_count);
}

// The targets of a node's parameters until the node is added, when CUDA copies them.
struct node_parts {
    const void* parameters[most_parameters];
    graph_owner child;
};

// A node that is no kernel, described before the graph is touched.
struct prepared_node {
    cudaGraphNodeParams params{};
    graph_owner child;
};

inline void describe_work(const frame& f, const plan_node& r, const void* code, const graph_tables& t, node_parts& parts, cudaGraphNodeParams& params, driver_log& log) {
    if (t.left_out && t.left_out[&r - f.plan.nodes]) {
        const void* const nothing = !r.from->traits->is_kernel ? nullptr : t.nothing || !is_programmatic(f, r) ? t.nothing : t.nothing_programmatic;
        params.type = cudaGraphNodeTypeEmpty;
        if (nothing) describe(disabled_nodes(f, r, nothing, log), params);
    } else if (!r.from->traits->is_kernel && t.prepared)
        params = t.prepared[&r - f.plan.nodes].params;
    else if (r.from->traits->is_kernel)
        describe(describe_kernel(f, r, code, t, parts.parameters, log), params);
    else
        other_code_at(code).describe(f, r, other_code_at(code), t.bodies[0], parts.child, params, log);
}

inline void make_handles(const frame& f, const graph_tables& t, driver_log& log) {
    for (int at = 0; at < f.plan.count.nodes; ++at) {
        const plan_node& r = f.plan.nodes[at];
        if (r.kind == plan_node_kind::conditional)
            check_node_call(cudaGraphConditionalHandleCreate(&t.handles[r.handle], t.bodies[0], 0, 0),
                      "cudaGraphConditionalHandleCreate", f, r, &log);
    }
}

// Adds every node of the plan to the graph in t.bodies[0] and to the bodies that its conditionals make.
inline void materialize(const frame& f, const void* const* kernels, const graph_tables& t, driver_log& log) {
    make_handles(f, t, log);
    for (int region = 0; region < f.plan.count.regions; ++region) {
        node_adder nodes(f, region, t);
        for (int at = f.plan.regions[region].first_node; at >= 0; at = nodes.behind(at)) {
            const bool merges = t.merged.is_part(at);
            const plan_node& r = f.plan.nodes[at];
            cudaGraphNodeParams params{};
            node_parts parts;
            if (merges)
                describe(describe_merged(f, at, kernels, t, parts.parameters, log), params);
            else if (r.kind == plan_node_kind::conditional)
                describe_conditional(r, t, params);
            else
                describe_work(f, r, kernels[r.code], t, parts, params, log);
            check_node_call(nodes.add(at, &params), "cudaGraphAddNode", f, r, &log);
            for (int part = at; merges && part >= 0; part = t.merged.next[part]) t.nodes[part] = t.nodes[at];
            if (merges) continue;
            if (params.type == cudaGraphNodeTypeKernel) set_attributes(f, r, t.nodes[at], log);
            if (t.device_update) t.update_node(*t.device_update, f, r, params, t.nodes[at], log);
            for (int body = 0; body < r.region_count; ++body) t.bodies[r.first_region + body] = params.conditional.phGraph_out[body];
        }
    }
}

}  // namespace cograph::core
