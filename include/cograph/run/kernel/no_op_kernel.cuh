// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/launch/launch_config.cuh>

namespace cograph::core {

// Launches leave out kernels over no elements, and those that the user disabled. CUDA can disable a node. If a graph
// has conditional nodes as well, the driver then sometimes fails launches (580 on an H100 and an H200;
// docs/known-issues.md), and the edges of a disabled programmatic kernel are not documented. There the node stays,
// and its kernel only waits for its predecessors, which the successors of a programmatic kernel rely on. A template,
// so that only programs with conditional nodes, captured calls or calls of disable contain it.
template <int Threads>
__global__ void __launch_bounds__(Threads) do_nothing() {
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

// The launch of such a node; its cluster, if it has one, can be no smaller, and must be allowed.
inline cudaKernelNodeParams disabled_nodes(const void* nothing, unsigned cluster) {
    cudaKernelNodeParams params{};
    params.func = const_cast<void*>(nothing);
    params.gridDim = cluster == 0 ? dim3(1) : dim3(cluster & 255, cluster >> 8 & 255, cluster >> 16 & 255);
    params.blockDim = dim3(1);
    return params;
}
inline cudaKernelNodeParams disabled_nodes(const frame& f, const plan_node& r, const void* nothing, driver_log& log) {
    const unsigned cluster = f.records[r.leaf].shape.cluster;
    allow_cluster(f, r, nothing, cluster, &log);
    return disabled_nodes(nothing, cluster);
}

// Takes a node's node into the launches of an executable graph, or out of them. A copy of nothing is an empty node: CUDA disables none,
// and need not.
inline void enable(const frame& f, const plan_node& r, cudaGraphExec_t exec, cudaGraphNode_t node, bool on, driver_log& log) {
    cudaGraphNodeType type = cudaGraphNodeTypeKernel;
    if (!r.from->traits->is_kernel) check_node_call(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType", f, r, &log);
    if (type != cudaGraphNodeTypeEmpty) check_node_call(cudaGraphNodeSetEnabled(exec, node, on), "cudaGraphNodeSetEnabled", f, r, &log);
}

// Leaves out a node of a new graph; without a kernel that does nothing, by disabling its node.
inline void leave_out(const frame& f, const plan_node& r, cudaGraphExec_t exec, cudaGraphNode_t node, const void* nothing, driver_log& log) {
    if (!nothing) return enable(f, r, exec, node, false, log);
    const cudaKernelNodeParams params = disabled_nodes(f, r, nothing, log);
    check_node_call(cudaGraphExecKernelNodeSetParams(exec, node, &params), "cudaGraphExecKernelNodeSetParams", f, r, &log);
}

}  // namespace cograph::core
