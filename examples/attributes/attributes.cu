// SPDX-License-Identifier: Apache-2.0

// What kernels can be asked for beside blocks and threads: a grid whose blocks wait for each other, clusters whose blocks read
// each other's shared memory, a kernel that goes first where several could, and one that begins before the one in front has ended.

#include "../anywhere.hpp"

#ifdef __CUDACC__
#include <cooperative_groups.h>
#endif

#include <algorithm>
#include <cstdio>
#include <exception>
#include <vector>

namespace attributes {

using cograph::index_t;

#ifdef __CUDACC__
// [kernels]
// Every block needs what all blocks add up.
__global__ void subtract_mean(double* x, index_t n, double* sums) {
    __shared__ double lanes[256];
    const index_t first = index_t{blockIdx.x} * blockDim.x + threadIdx.x, threads = index_t{gridDim.x} * blockDim.x;
    lanes[threadIdx.x] = 0;
    for (index_t i = first; i < n; i += threads) lanes[threadIdx.x] += x[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = 0;
        for (unsigned lane = 0; lane < blockDim.x; ++lane) sums[blockIdx.x] += lanes[lane];
    }
    cooperative_groups::this_grid().sync();
    double sum = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) sum += sums[block];
    for (index_t i = first; i < n; i += threads) x[i] -= sum / static_cast<double>(n);
}

// The largest element of each cluster: its first block reads the shared memory of the others.
__global__ void find_peaks(const double* x, index_t n, double* peaks) {
#if __CUDA_ARCH__ >= 900
    __shared__ double largest;
    const auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) {
        const index_t first = index_t{blockIdx.x} * blockDim.x;
        largest = x[first < n ? first : 0];
        for (index_t i = first; i < n && i < first + blockDim.x; ++i) largest = x[i] > largest ? x[i] : largest;
    }
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        double peak = largest;
        for (unsigned rank = 1; rank < cluster.num_blocks(); ++rank) {
            const double there = *cluster.map_shared_rank(&largest, rank);
            peak = there > peak ? there : peak;
        }
        peaks[blockIdx.x / cluster.num_blocks()] = peak;
    }
    cluster.sync();  // no block ends while it is read
#endif
}

// Lets the next kernel begin at once.
__global__ void square(const double* from, double* to, index_t n) {
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
#endif
    const index_t i = index_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] * from[i];
}
// Waits when it needs the results of the kernel before it; its other work comes before that.
__global__ void add(double* to, index_t n, double more) {
    const index_t i = index_t{blockIdx.x} * blockDim.x + threadIdx.x;
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
    if (i < n) to[i] += more;
}
// [/kernels]
#else
void subtract_mean(double*, index_t, double*);  // only named, as those below
void find_peaks(const double*, index_t, double*);
void square(const double*, double*, index_t);
void add(double*, index_t, double);
#endif

constexpr index_t in_a_cluster = 4 * 256;

// The same, for simulate.
void subtract_mean_on_host(double* x, index_t n, double*) {
    double sum = 0;
    for (index_t i = 0; i < n; ++i) sum += x[i];
    for (index_t i = 0; i < n; ++i) x[i] -= sum / static_cast<double>(n);
}
void find_peaks_on_host(const double* x, index_t n, double* peaks) {
    for (index_t first = 0; first < n; first += in_a_cluster)
        peaks[first / in_a_cluster] = *std::max_element(x + first, x + std::min(n, first + in_a_cluster));
}
void square_on_host(const double* from, double* to, index_t n) {
    for (index_t i = 0; i < n; ++i) to[i] = from[i] * from[i];
}
void add_on_host(double* to, index_t n, double more) {
    for (index_t i = 0; i < n; ++i) to[i] += more;
}

// [expression]
inline constexpr struct x : cograph::buffer<x, double> {} x;
inline constexpr struct peaks : cograph::buffer<peaks, double> {} peaks;
inline constexpr struct power : cograph::buffer<power, double> {} power;
inline constexpr struct sums : cograph::temp<sums, double> {} sums;  // of blocks

constexpr auto measure() {
    using namespace cograph;
    return seq(kernel<subtract_mean, subtract_mean_on_host>(grid(8).block(256).cooperative())(inout(x), extent(x), out(sums)),
               kernel<find_peaks, find_peaks_on_host>(over(x).block(256).cluster(4))(in(x), extent(x), out(peaks)),
               kernel<square, square_on_host>(over(x).programmatic().priority(-1))(in(x), out(power), extent(x)),
               kernel<add, add_on_host>(over(x).programmatic().priority(-1))(inout(power), extent(x), 1.0));
}
inline constexpr auto measured = measure();
// The peaks and the power may be computed at once: that follows from the accesses.
static_assert(!cograph::ordered(measured, cograph::at<1>, cograph::at<2>));
// [/expression]

/// Clusters and programmatic edges came with compute capability 9.0; an older GPU leaves the work to the host.
bool has_all() {
#ifdef __CUDACC__
    int major = 0;
    return anywhere::has_gpu() && cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) == cudaSuccess && major >= 9;
#else
    return false;
#endif
}

template <class... B>
void run(B... bindings) {
    if (has_all())
        anywhere::run(measured, bindings...);
    else
        cograph::simulate(measured, bindings...);
}

bool check() {
    constexpr std::size_t n = 8192, clusters = n / in_a_cluster;
    const anywhere::array<double> numbers(n), largest(clusters), results(n);
    for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<double>(i % 64 + i / in_a_cluster);
    run(x(numbers.span()), peaks(largest.span()), power(results.span()), sums(8));

    // The numbers of cluster c are c .. c + 63; on average, c is 3.5. All are sums of powers of two: nothing is rounded.
    const double mean = 31.5 + 3.5;
    bool right = true;
    for (std::size_t c = 0; c < clusters; ++c) right = right && largest[c] == static_cast<double>(c + 63) - mean;
    for (std::size_t i = 0; i < n; ++i) {
        const double expected = static_cast<double>(i % 64 + i / in_a_cluster) - mean;
        right = right && numbers[i] == expected && results[i] == expected * expected + 1;
    }
    std::printf("%s: the largest peak is %.1f above the mean%s\n", has_all() ? "CUDA graph" : "simulation", largest[clusters - 1],
                right ? "" : ", or something is wrong");
    return right;
}

}  // namespace attributes

int main(int argc, char**) try {
    anywhere::take_no_arguments(argc);
    return attributes::check() ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "attributes: %s\n", problem.what());
    return 1;
}
