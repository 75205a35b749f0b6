// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/launch.cuh>

namespace cograph::core {

// Launches leave out kernels over no elements, and those that the user left out. CUDA can disable a node; where a graph has
// conditional nodes as well, the driver then fails launches now and then (580 on an H100 and an H200; docs/reliability.md). There
// the node stays, and its kernel does nothing. A template, so that only programs with conditional nodes have it.
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

}  // namespace cograph::core
