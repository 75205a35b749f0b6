// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/analysis/arena.hpp>
#include <cograph/run/graph/add_nodes.cuh>

#include <cstring>

namespace cograph::core {

// Scalars that are not bound begin each run with the value in their declaration. Templates, so that only programs with such scalars
// contain this; E is the planned expression.
template <class E>
inline constexpr int initial_bytes_of = has_initial_scalars(E::tree) ? static_cast<int>(most_initial_bytes) : 0;

// A value as a parameter.
template <int Bytes>
struct initial_bytes {
    unsigned char at[Bytes];
};
template <int Bytes>
__global__ void __launch_bounds__(Bytes) store_initial(initial_bytes<Bytes> from, unsigned char* to, unsigned count) {
    if (threadIdx.x < count) to[threadIdx.x] = from.at[threadIdx.x];
}

// On a stream.
template <int MostBytes>
void store_initial_scalars(const frame& f, cudaStream_t stream) {
    each_initial_scalar(f, [&](const variable_info& info, void* to) {
        check(cudaMemcpyAsync(to, info.initial, info.size, cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync", {info.name.read()});
    });
}

// In a graph: a kernel for each, since they may be in the body of a loop or branch, one after another and all after some
// other nodes. Writes them to `made`, and returns how many there are.
template <int MostBytes>
int add_initial_scalars(const frame& f, cudaGraph_t graph, const cudaGraphNode_t* after, int after_count, cudaGraphNode_t* made, driver_log& log) {
    int count = 0;
    each_initial_scalar(f, [&](const variable_info& info, void* to) {
        initial_bytes<MostBytes> bytes{};
        std::memcpy(bytes.at, info.initial, info.size);
        unsigned size = info.size;
        void* parameters[] = {&bytes, &to, &size};
        cudaGraphNodeParams params{};
        params.type = cudaGraphNodeTypeKernel;
        params.kernel.func = reinterpret_cast<void*>(&store_initial<MostBytes>);
        params.kernel.gridDim = dim3(1);
        params.kernel.blockDim = dim3(MostBytes);
        params.kernel.kernelParams = parameters;
        check(add_node(made + count, graph, count > 0 ? made + count - 1 : after, nullptr, count > 0 ? 1 : after_count, &params), "cudaGraphAddNode",
              {info.name.read()}, &log);
        ++count;
    });
    return count;
}

}  // namespace cograph::core
