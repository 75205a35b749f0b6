// SPDX-License-Identifier: Apache-2.0

// Several GPUs agree on when to stop: each holds numbers of its own and halves them, and in every iteration NCCL sums over all of
// them what is left. The loops stay on the devices. Uses all GPUs there are, a thread each.

#include "../anywhere.hpp"

#include <nccl.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>
#include <vector>

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct here : scalar<here, double> {} here;
inline constexpr struct everywhere : scalar<everywhere, double> {} everywhere;
inline constexpr struct iterations : scalar<iterations, int> {} iterations;

struct halve {
    COGRAPH_HD double operator()(index_t, double& value) const { return value *= 0.5; }
};

// [all reduce]
struct sum_everywhere {
    ncclComm_t communicator;
    ncclResult_t operator()(cudaStream_t stream, const double* from, double* to) const {
        return ncclAllReduce(from, to, 1, ncclDouble, ncclSum, communicator, stream);
    }
};
struct sum_of_one {  // for simulate: there is one
    void operator()(const double* from, double* to) const { *to = *from; }
};

// The threads of the other GPUs go on meanwhile: only this one's calls are watched. NCCL connects the GPUs in the first call, by what may
// not be captured: it is made once before.
auto fall(ncclComm_t communicator) {
    const auto all_reduce = captured(sum_everywhere{communicator}, sum_of_one{}).mode<capture_mode::thread>().warm_up();
    return seq(assign(iterations, 0), do_while(seq(transform_reduce(over(x), halve{}, plus{})(out(here), inout(x[each])),
                                               label("all reduce", all_reduce(in(here), out(everywhere))), assign(iterations, iterations + 1)),
                                           everywhere > 1.0));
}
// [/all reduce]

// The numbers of GPU g are all g + 1: of n GPUs with 1000 numbers each, n (n + 1) / 2 * 1000 is halved until it is at most 1.
int passes_wanted(int gpus) { return static_cast<int>(std::ceil(std::log2(gpus * (gpus + 1) / 2 * 1000.0))); }

int run_on_gpu(int device, ncclComm_t communicator) {
    anywhere::succeed(cudaSetDevice(device));
    cudaStream_t stream = nullptr;
    anywhere::succeed(cudaStreamCreate(&stream));
    double* values = nullptr;
    const std::vector<double> start(1000, device + 1);
    anywhere::succeed(cudaMalloc(&values, start.size() * sizeof(double)));
    anywhere::succeed(cudaMemcpy(values, start.data(), start.size() * sizeof(double), cudaMemcpyHostToDevice));
    auto exec = instantiate(fall(communicator), x(values, start.size()));
    exec.launch(stream);
    const int count = exec.fetch(iterations);
    cudaFree(values);
    cudaStreamDestroy(stream);
    return count;
}

// Every thread's iterations, or its error.
bool run_on_gpus(int gpus) {
    // A communicator that mixes graphs with other use would put events into the loop's body.
    setenv("NCCL_GRAPH_MIXING_SUPPORT", "0", 1);
    std::vector<ncclComm_t> communicators(static_cast<std::size_t>(gpus));
    if (ncclCommInitAll(communicators.data(), gpus, nullptr) != ncclSuccess) throw std::runtime_error("no communicator");
    std::vector<int> counts(communicators.size());
    std::vector<std::string> problems(communicators.size());
    std::vector<std::thread> threads;
    for (int g = 0; g < gpus; ++g)
        threads.emplace_back([&, g] {
            const auto at = static_cast<std::size_t>(g);
            try {
                counts[at] = run_on_gpu(g, communicators[at]);
            } catch (const std::exception& problem) {
                problems[at] = problem.what();
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const ncclComm_t communicator : communicators) ncclCommDestroy(communicator);
    bool right = true;
    for (int g = 0; g < gpus; ++g) {
        const auto at = static_cast<std::size_t>(g);
        std::printf("GPU %d: %d iterations %s\n", g, counts[at], problems[at].c_str());
        right = right && problems[at].empty() && counts[at] == passes_wanted(gpus);
    }
    return right;
}

int main(int argc, char**) try {
    anywhere::take_no_arguments(argc);
    if (anywhere::has_gpu()) {
        int gpus = 0;
        anywhere::succeed(cudaGetDeviceCount(&gpus));
        return run_on_gpus(gpus) ? 0 : 1;
    }
    std::vector<double> values(1000, 1);
    int count = 0;
    simulate(fall(nullptr), x(std::span(values)), iterations(&count));
    std::printf("simulation: %d iterations\n", count);
    return count == passes_wanted(1) ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "all_reduce: %s\n", problem.what());
    return 1;
}
