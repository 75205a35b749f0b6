// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace cograph::core {

// Finds the graph that a stream is being captured into; null when it is not. Gives what cudaStreamGetCaptureInfo said.
inline cudaError_t find_captured_graph(cudaStream_t stream, cudaGraph_t& graph) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
#if CUDART_VERSION >= 13000
    const cudaError_t code = cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph);
#else
    const cudaError_t code = cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &graph);
#endif
    if (status != cudaStreamCaptureStatusActive) graph = nullptr;
    return code;
}

}  // namespace cograph::core
