// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

namespace bench {

// Ends the program with the place and the runtime's words when a CUDA call failed.
inline void check(cudaError_t status, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, cudaGetErrorName(status), cudaGetErrorString(status));
    std::exit(1);
}

inline void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "wrong result: %s\n", what);
    std::exit(1);
}

// Microseconds.
inline double now() {
    using namespace std::chrono;
    return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

inline double median(std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    return samples[samples.size() / 2];
}

// A stream on the first device. Without a device the program says so and ends well.
struct gpu {
    cudaStream_t stream;

    gpu() {
        int count = 0;
        if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
            std::printf("SKIP: no CUDA device\n");
            std::exit(0);
        }
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    ~gpu() { cudaStreamDestroy(stream); }
    gpu(const gpu&) = delete;

    void wait() const { check(cudaStreamSynchronize(stream)); }
};

template <class T>
struct device_array {
    T* data;
    std::size_t count;

    explicit device_array(std::size_t n) : count(n) {
        check(cudaMalloc(&data, n * sizeof(T)));
        zero();
    }
    ~device_array() { cudaFree(data); }
    device_array(const device_array&) = delete;

    void zero() {
        check(cudaMemset(data, 0, count * sizeof(T)));
        check(cudaDeviceSynchronize());
    }
    T first() const {
        T value;
        check(cudaMemcpy(&value, data, sizeof(T), cudaMemcpyDeviceToHost));
        return value;
    }
};

// Device time of one of `times` calls of launch() in a row, in microseconds.
template <class Launch>
double back_to_back(const gpu& g, int times, Launch launch) {
    struct event {
        cudaEvent_t handle;
        event() { check(cudaEventCreate(&handle)); }
        ~event() { cudaEventDestroy(handle); }
    } begin, end;
    launch();
    g.wait();
    check(cudaEventRecord(begin.handle, g.stream));
    for (int i = 0; i < times; ++i) launch();
    check(cudaEventRecord(end.handle, g.stream));
    g.wait();
    float milliseconds;
    check(cudaEventElapsedTime(&milliseconds, begin.handle, end.handle));
    return milliseconds * 1e3 / times;
}

// Host time of launch() on an idle stream: the mean of a few after one that warms.
template <class Launch>
double on_idle_stream(const gpu& g, Launch launch) {
    constexpr int times = 10;
    double sum = 0;
    for (int i = 0; i <= times; ++i) {
        g.wait();
        const double begin = now();
        launch();
        if (i > 0) sum += now() - begin;
    }
    g.wait();
    return sum / times;
}

struct timing {
    double by_hand, library, noise;
};

// Medians of interleaved repetitions. What is written by hand runs twice in each: how much its two medians differ is
// the noise of the ratio.
template <class Hand, class Library>
timing compare(int repetitions, Hand hand, Library library) {
    std::vector<double> samples[3];
    hand();
    library();
    for (int i = 0; i < repetitions; ++i)
        for (int j = 0; j < 3; ++j) {
            const int who = (i + j) % 3;
            samples[who].push_back(who == 1 ? library() : hand());
        }
    const double first = median(samples[0]), second = median(samples[2]);
    return {(first + second) / 2, median(samples[1]), std::abs(first - second) / std::min(first, second)};
}

// Of several that were built to do the same: medians, and how far apart those by hand are.
inline timing medians(const std::vector<timing>& built) {
    std::vector<double> hand, library;
    for (const timing& one : built) {
        hand.push_back(one.by_hand);
        library.push_back(one.library);
    }
    const auto [least, most] = std::minmax_element(hand.begin(), hand.end());
    return {median(hand), median(library), *most / *least - 1};
}

inline void title(const char* text) {
    cudaDeviceProp device;
    int driver, runtime;
    check(cudaGetDeviceProperties(&device, 0));
    check(cudaDriverGetVersion(&driver));
    check(cudaRuntimeGetVersion(&runtime));
    std::printf("%s (%s, driver %d, runtime %d)\n", text, device.name, driver, runtime);
    std::printf("%-52s %11s %11s %7s %7s %7s\n", "what", "by hand", "cograph", "ratio", "target", "noise");
}

// target 0: for information.
inline void row(const char* what, timing t, double target = 0) {
    std::printf("%-52s %11.3f %11.3f %7.3f ", what, t.by_hand, t.library, t.library / t.by_hand);
    target > 0 ? std::printf("%7.2f", target) : std::printf("%7s", "-");
    std::printf(" %6.1f%%\n", 100 * t.noise);
    std::fflush(stdout);
}

}  // namespace bench

// The same work with the CUDA runtime alone.
namespace by_hand {

using bench::check;
// What a node waits for: nothing, one node, or an array.
struct nodes {
    const cudaGraphNode_t* data = nullptr;
    std::size_t count = 0;

    nodes() = default;
    nodes(const cudaGraphNode_t& one) : nodes(&one, 1) {}
    nodes(const cudaGraphNode_t* first, std::size_t n) : data(first), count(n) {}
};

struct conditional {
    cudaGraphNode_t node;
    cudaGraph_t body;
};

struct graph {
    cudaGraph_t handle = nullptr;
    cudaGraphExec_t executable = nullptr;

    graph() { check(cudaGraphCreate(&handle, 0)); }
    ~graph() {
        cudaGraphExecDestroy(executable);
        cudaGraphDestroy(handle);
    }
    graph(const graph&) = delete;

    void instantiate() { check(cudaGraphInstantiate(&executable, handle, 0)); }
    void launch(cudaStream_t stream) const { check(cudaGraphLaunch(executable, stream)); }
    cudaGraphConditionalHandle condition(unsigned initially, unsigned flags = cudaGraphCondAssignDefault) const {
        cudaGraphConditionalHandle h;
        check(cudaGraphConditionalHandleCreate(&h, handle, initially, flags));
        return h;
    }
};

struct shape {
    dim3 grid, block;
};

template <class... P>
cudaGraphNode_t add_kernel(cudaGraph_t g, nodes after, void (*function)(P...), shape s,
                           std::type_identity_t<P>... arguments) {
    void* addresses[] = {&arguments...};
    cudaGraphNodeParams p{};
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = reinterpret_cast<void*>(function);
    p.kernel.gridDim = s.grid;
    p.kernel.blockDim = s.block;
    p.kernel.kernelParams = addresses;
    cudaGraphNode_t node;
    check(cudaGraphAddNode(&node, g, after.data, nullptr, after.count, &p));
    return node;
}

inline conditional add_conditional(cudaGraph_t g, nodes after, cudaGraphConditionalHandle condition,
                                   cudaGraphConditionalNodeType type) {
    cudaGraphNodeParams p{};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = condition;
    p.conditional.type = type;
    p.conditional.size = 1;
    cudaGraphNode_t node;
    check(cudaGraphAddNode(&node, g, after.data, nullptr, after.count, &p));
    return {node, p.conditional.phGraph_out[0]};
}

}  // namespace by_hand
