// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

// Nodes of graphs in plain CUDA, for tests that look at the driver alone.
namespace graph_by_hand {

inline cudaError_t add_node(cudaGraphNode_t* to, cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after, cudaGraphNodeParams& params) {
#if CUDART_VERSION >= 13000
    return cudaGraphAddNode(to, graph, after.data(), nullptr, after.size(), &params);
#else
    return cudaGraphAddNode(to, graph, after.data(), after.size(), &params);
#endif
}

// A kernel of one thread.
inline cudaGraphNodeParams kernel(const void* function, void** arguments) {
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = const_cast<void*>(function);
    params.kernel.gridDim = params.kernel.blockDim = dim3(1);
    params.kernel.kernelParams = arguments;
    return params;
}

// With one body, which adding it makes: conditional.phGraph_out[0].
inline cudaGraphNodeParams conditional(cudaGraphConditionalNodeType type, cudaGraphConditionalHandle handle) {
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = 1;
    return params;
}

}  // namespace graph_by_hand
