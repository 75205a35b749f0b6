// SPDX-License-Identifier: Apache-2.0

// [program]
// A CUDA program captures its own kernels into a graph. Expressions join the capture between them, one with a loop. Each replay warms
// one end of a rod and lets the rod settle.
#include <cograph.cuh>
#include <cograph/join/add_to.cuh>
#include <cograph/join/capture.cuh>  // in one source file of a program: launches on a captured stream join the capture

#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <vector>

namespace heated {

using namespace cograph;

inline constexpr struct rod : buffer<rod, double> {} rod;
inline constexpr struct next : temp<next, double, struct rod> {} next;
inline constexpr struct change : scalar<change, double> {} change;
inline constexpr struct sweeps : scalar<sweeps, int> {} sweeps;
inline constexpr struct heat : scalar<heat, double> {} heat;
inline constexpr struct limit : value<limit, double> {} limit;

struct relax {
    COGRAPH_HD double operator()(index_t i, const double* from, double& to, index_t n) const {
        to = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + from[i + 1]) / 2;
        return to < from[i] ? from[i] - to : to - from[i];
    }
};
constexpr auto settle = seq(
    assign(sweeps, 0),
    do_while(seq(transform_reduce(over(rod), relax{}, maximum_or_nan{})(out(change), in(rod), out(next[each]), extent(rod)),
                 copy(in(next), out(rod)),
                 assign(sweeps, sweeps + 1)),
             change > limit && sweeps < 100000));
constexpr auto add_up = reduce(out(heat), in(rod));

}  // namespace heated

__global__ void warm(double* rod) { rod[0] += 1; }
__global__ void count_all(const int* sweeps, int* all) { *all += *sweeps; }

void succeed(cudaError_t result) {
    if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}
template <class T>
T* allocate(std::size_t count) {  // zeros that the host reads, too
    T* memory = nullptr;
    succeed(cudaMallocManaged(&memory, count * sizeof(T)));
    for (std::size_t i = 0; i < count; ++i) memory[i] = T{};
    return memory;
}

constexpr std::size_t points = 64;
constexpr int replays = 3;
struct outcome {
    std::vector<double> rod = std::vector<double>(points, 0);
    double heat = 0;
    int all = 0;  // sweeps of all replays
    bool operator==(const outcome&) const = default;
};

outcome run_on_gpu() {
    double* const rod = allocate<double>(points);
    double* const heat = allocate<double>(1);
    int* const sweeps = allocate<int>(1);
    int* const all = allocate<int>(1);
    cudaStream_t stream = nullptr;
    succeed(cudaStreamCreate(&stream));

    // [capture]
    // Before the capture, because CUDA makes no executables during most captures.
    auto settle = cograph::instantiate(heated::settle, heated::rod(rod, points), heated::sweeps(sweeps), heated::limit(1e-6));

    succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    warm<<<1, 1, 0, stream>>>(rod);  // a kernel of the program
    settle.launch(stream);           // an executable: its loop joins the graph
    cograph::add_to(stream, heated::add_up, heated::rod(rod, points), heated::heat(heat));  // an expression; no executable is made
    count_all<<<1, 1, 0, stream>>>(sweeps, all);
    cudaGraph_t graph = nullptr;
    succeed(cudaStreamEndCapture(stream, &graph));
    // [/capture]

    cudaGraphExec_t whole = nullptr;
    succeed(cudaGraphInstantiate(&whole, graph, 0));
    for (int replay = 0; replay < replays; ++replay) succeed(cudaGraphLaunch(whole, stream));
    succeed(cudaStreamSynchronize(stream));

    const outcome result{{rod, rod + points}, *heat, *all};
    succeed(cudaGraphExecDestroy(whole));
    succeed(cudaGraphDestroy(graph));
    succeed(cudaStreamDestroy(stream));
    for (void* const memory : {static_cast<void*>(rod), static_cast<void*>(heat), static_cast<void*>(sweeps), static_cast<void*>(all)})
        succeed(cudaFree(memory));
    return result;
}

outcome run_on_host() {  // the same without a graph, to compare
    outcome result;
    for (int replay = 0; replay < replays; ++replay) {
        int sweeps = 0;
        result.rod[0] += 1;
        simulate(heated::settle, heated::rod(std::span(result.rod)), heated::sweeps(&sweeps), heated::limit(1e-6));
        simulate(heated::add_up, heated::rod(std::span(result.rod)), heated::heat(&result.heat));
        result.all += sweeps;
    }
    return result;
}

int main(int argc, char**) try {
    if (argc > 1) throw std::runtime_error("takes no arguments");
    int gpus = 0;
    const bool has_gpu = cudaGetDeviceCount(&gpus) == cudaSuccess && gpus > 0;
    const outcome wanted = run_on_host();
    const outcome found = has_gpu ? run_on_gpu() : wanted;
    std::printf("%s: %d sweeps in %d replays, heat %.6f\n", has_gpu ? "captured" : "simulation", found.all, replays, found.heat);
    const bool settled = found.rod[1] > 2.9 && found.heat > 90 && found.heat < 96;  // nearly a straight line from 3 to 0
    return settled && found == wanted ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "capture: %s\n", problem.what());
    return 1;
}
// [/program]
