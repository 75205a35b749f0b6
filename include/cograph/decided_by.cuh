// SPDX-License-Identifier: Apache-2.0
#pragma once

// Kernels of the user's that decide about loops and branches, on a GPU. cograph.cuh does not include this.

#include <cograph.cuh>
#include <cograph/decided_by.hpp>

namespace cograph::core {

// Outside of a graph there is no handle. A run on a stream launches such a kernel as a graph of its own: the kernel,
// and after it a branch that stores 1. It ends before this returns, since the host waits for the decision anyway.
inline void launch_decider(const frame& f, const plan_node& r, const sized_launch& launch, cudaStream_t stream, unsigned* value, driver_log& log) {
    const auto must = [&](cudaError_t code, const char* call) { check_node_call(code, call, f, r, &log); };
    graph_owner graph;
    cudaGraphConditionalHandle handle{};
    must(cudaGraphCreate(graph.put(), 0), "cudaGraphCreate");
    must(cudaGraphConditionalHandleCreate(&handle, graph.get(), 0, cudaGraphCondAssignDefault), "cudaGraphConditionalHandleCreate");
    const void* parameters[most_parameters];
    parameter_addresses(f, r, parameters, &handle);
    cudaGraphNodeParams params{};
    cudaGraphNode_t kernel = nullptr, branch = nullptr, stored = nullptr;
    allow_cluster(f, r, launch.kernel, launch.shape.cluster, &log);
    describe(kernel_params(launch, parameters), params);
    must(add_node(&kernel, graph.get(), nullptr, nullptr, 0, &params), "cudaGraphAddNode");
    set_attributes(f, r, kernel, log);
    params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = cudaGraphCondTypeIf;
    params.conditional.size = 1;
    must(add_node(&branch, graph.get(), &kernel, nullptr, 1, &params), "cudaGraphAddNode");
    const cudaGraph_t body = params.conditional.phGraph_out[0];
    params = {};
    params.type = cudaGraphNodeTypeMemset;
    params.memset.dst = value;
    params.memset.value = 1;
    params.memset.elementSize = sizeof(unsigned);
    params.memset.width = params.memset.height = 1;
    must(add_node(&stored, body, nullptr, nullptr, 0, &params), "cudaGraphAddNode");
    exec_owner exec;
    cudaGraphInstantiateParams how{};
    must(cudaGraphInstantiateWithParams(exec.put(), graph.get(), &how), "cudaGraphInstantiateWithParams");
    must(cudaMemsetAsync(value, 0, sizeof(unsigned), stream), "cudaMemsetAsync");
    int device = 0;
    must(cudaGetDevice(&device), "cudaGetDevice");
    launch_serializer(device, log).launch(exec.get(), stream);
    must(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

template <auto F, auto Host, int At, class Target>
inline constexpr auto kernel_of<decider_code<F, Host, At>, Target> = F;
template <class Target>
inline constexpr auto kernel_of<decider_run, Target> = &launch_decider;

}  // namespace cograph::core
