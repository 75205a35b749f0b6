// SPDX-License-Identifier: Apache-2.0

// A rod whose ends are held at two temperatures, until it settles: a loop that ends when the device says so.
// Runs as a CUDA graph; compiled as C++, or without a GPU, as a simulation.

// [include]
#ifdef __CUDACC__
#include <cograph.cuh>
#else
#include <cograph.hpp>  // without CUDA
#endif
// [/include]

#ifdef __CUDACC__
#include <cuda_runtime.h>
#endif

#include <cmath>
#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <vector>

// [sample]
using namespace cograph;
struct relax {  // the mean of the neighbours; returns the size of the change
    COGRAPH_HD double operator()(index_t i, const double* from, double& to, index_t n) const {
        to = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + from[i + 1]) / 2;
        return to < from[i] ? from[i] - to : to - from[i];
    }
};

inline constexpr struct x : buffer<x, double> {} x;                 // memory that you bind
inline constexpr struct y : temp<y, double, struct x> {} y;         // the graph's own, as long as x
inline constexpr struct change : scalar<change, double> {} change;  // a number on the device
inline constexpr struct sweeps : scalar<sweeps, int> {} sweeps;
inline constexpr struct limit : value<limit, double> {} limit;      // a number that the host sets

constexpr auto smooth = seq(
    assign(sweeps, 0),
    do_while(seq(transform_reduce(over(x), relax{}, plus{})(out(change), in(x), out(y[each]), extent(x)),
                 copy(in(y), out(x)), assign(sweeps, sweeps + 1)),
             change > limit && sweeps < 20000));  // NaN ends it at once: then test change
static_assert(is_persistent(smooth, at<1>));  // the whole loop is one kernel
// [/sample]

#ifdef __CUDACC__

bool gpu_found() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

void succeed(cudaError_t result) {
    if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}

int settle_on_gpu(std::vector<double>& rod) {
    double* memory = nullptr;
    const std::size_t bytes = rod.size() * sizeof(double);
    succeed(cudaMalloc(&memory, bytes));
    succeed(cudaMemcpy(memory, rod.data(), bytes, cudaMemcpyHostToDevice));
    cudaStream_t stream = nullptr;

    // [run]
    auto exec = instantiate(smooth, x(memory, rod.size()), limit(1e-9));
    exec.launch(stream);                   // one launch; the loop runs on the device
    const int count = exec.fetch(sweeps);  // waits for it
    // [/run]

    succeed(cudaMemcpy(rod.data(), memory, bytes, cudaMemcpyDeviceToHost));
    succeed(cudaFree(memory));
    return count;
}

#endif

int settle_on_host(std::vector<double>& rod) {
    int count = 0;
    // [simulate]
    simulate(smooth, x(std::span(rod)), limit(1e-9), sweeps(&count));
    // [/simulate]
    return count;
}

int settle(std::vector<double>& rod) {
#ifdef __CUDACC__
    if (gpu_found()) return settle_on_gpu(rod);
#endif
    return settle_on_host(rod);
}

int main(int argc, char**) try {
    if (argc > 1) throw std::runtime_error("takes no arguments");
    std::vector<double> rod(32, 0);
    rod.front() = 100;
    const int count = settle(rod);

    double error = 0;  // a settled rod is a straight line
    for (std::size_t i = 0; i < rod.size(); ++i)
        error = std::fmax(error, std::fabs(rod[i] - 100 * (1 - static_cast<double>(i) / 31)));
    std::printf("settled after %d sweeps, error %.1e\n", count, error);
    return error < 1e-6 && count > 1000 && count < 20000 ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "quickstart: %s\n", problem.what());
    return 1;
}
