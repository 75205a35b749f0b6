// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../graph_by_hand.hpp"

#include <cuda_runtime.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <thread>
#include <type_traits>
#include <vector>

// Graphs in plain CUDA, of programs that look at what the driver survives. The first call that fails ends the program, since nothing
// works behind it.
namespace plain_graph {

inline std::atomic<long> launches = 0;
inline const auto start_of_program = std::chrono::steady_clock::now();

inline void must(cudaError_t code, const char* what) {
    static std::atomic<bool> failed = false;
    if (code == cudaSuccess) return;
    if (!failed.exchange(true)) {
        std::printf("%s: %s, after %ld launches and %.1f s\n", what, cudaGetErrorName(code), launches.load(),
                    std::chrono::duration<double>(std::chrono::steady_clock::now() - start_of_program).count());
        std::fflush(stdout);
    } else {
        std::this_thread::sleep_for(std::chrono::seconds(1));  // until the first has said so
    }
    std::_Exit(1);
}

inline cudaGraphNode_t add(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after, cudaGraphNodeParams& params) {
    cudaGraphNode_t node = nullptr;
    must(graph_by_hand::add_node(&node, graph, after, params), "cudaGraphAddNode");
    return node;
}

// So many blocks of so many threads.
struct shape {
    unsigned blocks = 1, threads = 1;
};
template <class... P>
cudaGraphNode_t add_kernel(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after, shape of, void (*function)(P...), std::type_identity_t<P>... arguments) {
    void* addresses[] = {&arguments...};
    cudaGraphNodeParams params = graph_by_hand::kernel(reinterpret_cast<const void*>(function), addresses);
    params.kernel.gridDim = dim3(of.blocks);
    params.kernel.blockDim = dim3(of.threads);
    return add(graph, after, params);
}

inline cudaGraphConditionalHandle make_handle(cudaGraph_t root, unsigned initially, unsigned flags) {
    cudaGraphConditionalHandle handle{};
    must(cudaGraphConditionalHandleCreate(&handle, root, initially, flags), "cudaGraphConditionalHandleCreate");
    return handle;
}
struct conditional {
    cudaGraphNode_t node = nullptr;
    cudaGraph_t body = nullptr;
};
inline conditional add_conditional(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after, cudaGraphConditionalNodeType type, cudaGraphConditionalHandle handle) {
    cudaGraphNodeParams params = graph_by_hand::conditional(type, handle);
    const cudaGraphNode_t node = add(graph, after, params);
    return {node, params.conditional.phGraph_out[0]};
}

inline cudaStream_t make_stream() {
    cudaStream_t stream = nullptr;
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return stream;
}
inline int* make_memory(std::size_t numbers) {
    int* memory = nullptr;
    must(cudaMalloc(&memory, numbers * sizeof(int)), "cudaMalloc");
    return memory;
}

inline std::atomic<bool> threads_end = false;  // what every thread asks between two steps
// Lets them work for so long.
inline void join_after(double seconds, std::vector<std::thread>& threads) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    threads_end = true;
    for (std::thread& thread : threads) thread.join();
}

// A number over zero that the command line may give by a name.
struct number_option {
    const char* name;
    int* whole;
    double* number = nullptr;  // in place of `whole`
};
// Reads names and numbers, from an argument on; false where something else stands, or a number that is not below a bound.
inline bool read_numbers(int count, char** arguments, int first, double below, std::initializer_list<number_option> all) {
    for (int i = first; i < count; i += 2) {
        const double given = i + 1 < count ? std::atof(arguments[i + 1]) : 0;
        bool known = false;
        for (const number_option& option : all) {
            if (std::strcmp(arguments[i], option.name) != 0 || !(given > 0 && given < below)) continue;
            if (option.whole) *option.whole = static_cast<int>(given);
            if (option.number) *option.number = given;
            known = !option.whole || *option.whole > 0;
        }
        if (!known) return false;
    }
    return true;
}

// Says so when there is none.
inline bool has_gpu() {
    int devices = 0;
    const bool has = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
    if (!has) std::puts("no GPU: GPU tests skipped");
    return has;
}

}  // namespace plain_graph
