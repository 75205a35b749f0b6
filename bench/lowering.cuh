// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench.cuh"

#include <cograph.cuh>

#include <array>
#include <functional>
#include <string>

// What the parts of lowering.cu share: the table, and one piece of work done in several ways.
namespace lowering {

inline const double none = std::nan("");

// Microseconds an iteration, unless a row says otherwise.
struct costs {
    double by_hand, as_nodes, lowered;

    costs operator-(costs other) const {
        return {by_hand - other.by_hand, as_nodes - other.as_nodes, lowered - other.lowered};
    }
    costs operator/(double by) const { return {by_hand / by, as_nodes / by, lowered / by}; }
};

inline void title() {
    cudaDeviceProp device;
    int driver, runtime;
    bench::check(cudaGetDeviceProperties(&device, 0));
    bench::check(cudaDriverGetVersion(&driver));
    bench::check(cudaRuntimeGetVersion(&runtime));
    std::printf("lowering (us an iteration) (%s, driver %d, runtime %d)\n", device.name, driver, runtime);
    std::printf("%-60s %11s %12s %11s %9s\n", "what", "by hand", "node by node", "lowered", "target");
}

// target none: for information.
inline void row(const std::string& what, costs c, double target = none) {
    const auto number = [](double value, int width) {
        std::isnan(value) ? std::printf(" %*s", width, "-")
                          : std::printf(" %*.*f", width, value < 1000 ? 3 : 1, value);
    };
    std::printf("%-60s", what.c_str());
    number(c.by_hand, 11);
    number(c.as_nodes, 12);
    number(c.lowered, 11);
    number(target, 9);
    std::printf("\n");
    std::fflush(stdout);
}

// Microseconds of launch(), from an idle stream to an idle stream.
template <class Launch>
double duration(const bench::gpu& g, Launch launch) {
    g.wait();
    const double begin = bench::now();
    launch();
    g.wait();
    return bench::now() - begin;
}

// Medians of interleaved repetitions, after one of each that warms.
template <class... Run>
std::array<double, sizeof...(Run)> medians(int repetitions, Run... run) {
    constexpr int count = sizeof...(Run);
    const std::function<double()> runs[] = {run...};
    std::vector<double> samples[count];
    for (const auto& one : runs) one();
    for (int i = 0; i < repetitions; ++i)
        for (int j = 0; j < count; ++j) {
            const int who = (i + j) % count;
            samples[who].push_back(runs[who]());
        }
    std::array<double, count> found;
    for (int who = 0; who < count; ++who) found[who] = bench::median(samples[who]);
    return found;
}

// `run` takes something to launch and gives what an iteration of it takes.
template <class Run, class Hand, class Plain, class Lowered>
costs compare(int repetitions, Run run, Hand& hand, Plain& plain, Lowered& lowered) {
    const auto cost = medians(
        repetitions, [&] { return run(hand); }, [&] { return run(plain); }, [&] { return run(lowered); });
    return {cost[0], cost[1], cost[2]};
}

// A graph by hand that is one WHILE; add(graph, body, handle) adds its nodes.
struct while_by_hand : by_hand::graph {
    template <class Add>
    explicit while_by_hand(Add add) {
        const auto again = condition(1);
        const auto loop = by_hand::add_conditional(handle, {}, again, cudaGraphCondTypeWhile);
        add(*this, loop.body, again);
        instantiate();
    }
};

template <class T>
__device__ T shuffle_xor(T value, int offset) {
    static_assert(sizeof(T) % sizeof(int) == 0);
    int words[sizeof(T) / sizeof(int)];
    memcpy(words, &value, sizeof value);
    for (int& word : words) word = __shfl_xor_sync(~0u, word, offset);
    memcpy(&value, words, sizeof value);
    return value;
}

// A sum by hand over all threads of a grid. The block that comes last calls last(sum) in one thread.
template <class T, class Op, class Last>
__device__ void reduce_grid(T value, T* partials, unsigned* ticket, Op op, Last last) {
    __shared__ T of_warp[32];
    __shared__ bool is_last;
    const auto join_block = [&](T v, T identity) {
        for (int offset = 16; offset > 0; offset /= 2) v = op(v, shuffle_xor(v, offset));
        __syncthreads();
        if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;
        __syncthreads();
        v = threadIdx.x % 32 < blockDim.x / 32 ? of_warp[threadIdx.x % 32] : identity;
        for (int offset = 16; offset > 0; offset /= 2) v = op(v, shuffle_xor(v, offset));
        return v;
    };
    value = join_block(value, T{});
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = value;
        __threadfence();
        is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    value = T{};
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) value = op(value, partials[i]);
    value = join_block(value, T{});
    if (threadIdx.x == 0) last(value);
}

// A program that is one loop, an iteration: by a loop of the host and as one kernel, both by hand, and by the library in both ways.
template <class Loop, class Kernel, class Nodes, class Lowered>
void whole_loop(const bench::gpu& g, const std::string& what, double target, int iterations, Loop host_loop, Kernel one_kernel, Nodes& nodes, Lowered& lowered) {
    title();
    const auto cost = medians(15, [&] { return duration(g, host_loop) / iterations; },
                              [&] { return duration(g, [&] { nodes.launch(g.stream); }) / iterations; },
                              [&] { return duration(g, [&] { lowered.launch(g.stream); }) / iterations; },
                              [&] { return duration(g, one_kernel) / iterations; });
    row(what + ", host loop by hand", {cost[0], cost[1], cost[2]}, target);
    row(what + ", one kernel by hand", {cost[3], cost[1], cost[2]}, target);
}

// The barrier of a persistent kernel by hand: everybody arrives at one counter, which begins at zero.
struct grid_barrier {
    unsigned* arrived;
    unsigned target = 0;

    __device__ void wait() {
        target += gridDim.x;
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
            unsigned seen;
            do {
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(arrived) : "memory");
            } while (seen < target);
        }
        __syncthreads();
    }
};

}  // namespace lowering
