// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/launch.cuh>

namespace cograph::core {

// Launches leave out kernels over no elements, and those that the user left out. CUDA can disable a node; where a graph has
// conditional nodes as well, the driver then fails launches now and then (580 on an H100 and an H200; docs/reliability.md). There
// the node stays, and its kernel does nothing. A template, so that only programs with conditional nodes or captured calls have it.
template <int Threads>
__global__ void __launch_bounds__(Threads) do_nothing() {}

// What such a node launches; its cluster, if it has one, can be no smaller.
inline cudaKernelNodeParams left_out(const void* nothing, unsigned cluster) {
    cudaKernelNodeParams params{};
    params.func = const_cast<void*>(nothing);
    params.gridDim = cluster == 0 ? dim3(1) : dim3(cluster & 255, cluster >> 8 & 255, cluster >> 16 & 255);
    params.blockDim = dim3(1);
    return params;
}

// Leaves a node out of the launches of an executable graph; without a kernel that does nothing, by disabling it.
inline void leave_out(cudaGraphExec_t exec, cudaGraphNode_t node, const void* nothing, unsigned cluster, place at, driver_log& log) {
    if (!nothing) return check(cudaGraphNodeSetEnabled(exec, node, 0), "cudaGraphNodeSetEnabled", at, &log);
    const cudaKernelNodeParams params = left_out(nothing, cluster);
    check(cudaGraphExecKernelNodeSetParams(exec, node, &params), "cudaGraphExecKernelNodeSetParams", at, &log);
}

}  // namespace cograph::core
