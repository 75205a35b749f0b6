// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/join/graph_memory.cuh>
#include <cograph/libraries/library_handles.cuh>
#include <cograph/libraries/rows/row_order.cuh>
#include <cograph/run/cuda/captured_graph.cuh>

namespace cograph::core::sparse_routine {

// Memory for the order of rows, which belongs to the graph that a stream is captured into, and to what is instantiated from it. Null on a stream that is not
// captured: there a solve has no later launches to learn for.
inline row_order* order_in_graph(cudaStream_t on, index_t rows) {
    cudaGraph_t graph = nullptr;
    core::must_succeed(find_captured_graph(on, graph), "cudaStreamGetCaptureInfo");
    if (!graph) return nullptr;
    const relaxed_capture_scope allowed;
    free_memory_of_graphs();
    driver_log log;
    const common_memory memory(owned_memory(device_memory, row_order::bytes(rows), {}, &log));
    stream_owner beside;
    core::must_succeed(cudaStreamCreateWithFlags(beside.put(), cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    core::must_succeed(cudaMemsetAsync(memory.get(), 0, row_order::bytes(rows), beside.get()), "cudaMemsetAsync");
    core::must_succeed(cudaStreamSynchronize(beside.get()), "cudaStreamSynchronize");
    memory_lease lease;
    lease.give(graph, {memory}, {}, log);
    lease.stay();
    return static_cast<row_order*>(memory.get());
}

}  // namespace cograph::core::sparse_routine
