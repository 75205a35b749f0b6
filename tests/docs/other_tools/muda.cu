// SPDX-License-Identifier: Apache-2.0

// The loop of docs/coming-from.md in muda: fragments.py compiles it, and runs it on a GPU, if it is given the folder of muda.

#include <cuda_runtime.h>

#if CUDART_VERSION >= 13000  // muda calls this function with the parameters that it had in CUDA 12
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count) {
    return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
#endif

#define MUDA_COMPUTE_GRAPH_ON 1
#include <muda/muda.h>
#include <muda/container.h>

#include <cstdio>
#include <vector>

using namespace muda;

double first_element(DeviceBuffer<double>& values) {
    std::vector<double> host;
    values.copy_to(host);
    return host[0];
}

int main() {
    const int n = 1000;
    const double limit = 0.3;
    DeviceBuffer<double> values(n);
    values.fill(1.0);
    Stream stream;

    // [loop]
    ComputeGraphVarManager manager;
    ComputeGraph graph{manager};
    auto& x = manager.create_var<BufferView<double>>("x");
    graph.create_node("halve") << [&] {
        ParallelFor(256)
            .apply(n, [x = x.viewer()] __device__(int i) mutable { x(i) /= 2; });
    };
    x = values;
    do {
        graph.launch(stream);
        wait_stream(stream);
    } while (first_element(values) > limit);  // the host decides
    // [/loop]

    std::printf("%g\n", first_element(values));
    return first_element(values) == 0.25 ? 0 : 1;
}
