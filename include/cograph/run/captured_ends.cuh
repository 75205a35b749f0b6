// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/heap_array.hpp>
#include <cograph/run/error.cuh>

namespace cograph::core {

// In a body, what a call enqueues begins in one node and ends in one, as all of the body does (see row_adder).

// Behind the capture: what waits for nothing waits for the first of those that do.
inline void begin_in_one_node(cudaGraph_t graph, place at, driver_log& log) {
    std::size_t count = 0;
    check(cudaGraphGetRootNodes(graph, nullptr, &count), "cudaGraphGetRootNodes", at, &log);
    if (count < 2) return;
    const heap_memory memory(count, sizeof(cudaGraphNode_t));
    cudaGraphNode_t* const roots = static_cast<cudaGraphNode_t*>(memory.get());
    check(cudaGraphGetRootNodes(graph, roots, &count), "cudaGraphGetRootNodes", at, &log);
    for (std::size_t i = 1; i < count; ++i)
#if CUDART_VERSION >= 13000
        check(cudaGraphAddDependencies(graph, roots, roots + i, nullptr, 1), "cudaGraphAddDependencies", at, &log);
#else
        check(cudaGraphAddDependencies(graph, roots, roots + i, 1), "cudaGraphAddDependencies", at, &log);
#endif
}

// Before its end: where the stream waits for several nodes, a kernel that does nothing waits for them.
inline void end_in_one_node(cudaStream_t stream, const void* nothing, place at, driver_log& log) {
    cudaStreamCaptureStatus status{};
    std::size_t count = 0;
#if CUDART_VERSION >= 13000
    check(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, &count), "cudaStreamGetCaptureInfo", at, &log);
#else
    check(cudaStreamGetCaptureInfo_v3(stream, &status, nullptr, nullptr, nullptr, nullptr, &count), "cudaStreamGetCaptureInfo", at, &log);
#endif
    if (status == cudaStreamCaptureStatusActive && count > 1) check(cudaLaunchKernel(nothing, dim3(1), dim3(1), nullptr, 0, stream), "cudaLaunchKernel", at, &log);
}

}  // namespace cograph::core
