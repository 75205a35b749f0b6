// SPDX-License-Identifier: Apache-2.0

// The code of docs/guide.md that needs CUDA, between marks that docs/quote.py knows.

#include "../catch.hpp"

#include <cograph.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using namespace cograph;

namespace guide {

// [kernels]
__global__ void saxpy(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

__global__ void block_sums(const float* x, int n, float* sums) {
    extern __shared__ float lanes[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    lanes[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (unsigned lane = 1; lane < blockDim.x; ++lane) lanes[0] += lanes[lane];
    sums[blockIdx.x] = lanes[0];
}

__global__ void __launch_bounds__(256) clear(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
// [/kernels]

// [kernel nodes]
inline constexpr struct xs : buffer<xs, float> {} xs;
inline constexpr struct ys : buffer<ys, float> {} ys;
inline constexpr struct sums : temp<sums, float> {} sums;
inline constexpr struct factor : value<factor, float> {} factor;
inline constexpr struct total : scalar<total, float> {} total;

constexpr auto add_up = seq(
    kernel<saxpy>(over(ys))(extent(ys), factor, xs, ys),  // by its parameters, reads xs, reads and writes ys
    kernel<clear>(over(sums))(out(sums)),                 // a mark says more: what was there does not matter
    kernel<block_sums>(grid(4).block(64).shared(64 * sizeof(float)))(in(ys), extent(ys), inout(sums)),
    reduce(out(total), in(sums)));

static_assert(is_mutated(add_up, ys) && !writes(add_up, xs));
static_assert(has_edge(add_up, kernel<clear>, kernel<block_sums>));
// [/kernel nodes]

// [shapes]
constexpr auto shapes = seq(
    kernel<clear>(over(xs))(out(xs)),                // ceil(extent / 256) blocks of 256
    kernel<clear>(over(xs).block(64))(out(xs)),      // ceil(extent / 64) blocks of 64
    kernel<clear>(over(256))(out(xs)),               // a constant number of threads
    kernel<clear>(grid(2).block(128))(out(xs)),      // blocks, threads in each; up to three numbers both
    kernel<block_sums>(grid(1).block(256).shared(1024))(in(xs), 256, out(ys)));  // bytes of shared memory
// [/shapes]

template <class T>
struct device_copy {
    T* data = nullptr;
    std::size_t count;
    explicit device_copy(const std::vector<T>& host) : count(host.size()) {
        REQUIRE(cudaMalloc(&data, count * sizeof(T)) == cudaSuccess);
        REQUIRE(cudaMemcpy(data, host.data(), count * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
    }
    device_copy(device_copy&&) = delete;
    ~device_copy() { cudaFree(data); }
};

TEST_CASE("guide: run") {
    const std::vector<float> ones(256, 1);
    const device_copy<float> x(ones), y(ones);
    cudaStream_t stream = nullptr, other = nullptr;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&other) == cudaSuccess);

    // [instantiate]
    auto exec = instantiate(add_up, xs(x.data, x.count), ys(y.data, y.count), sums(256), factor(2));
    exec.launch(stream);             // as often as you like, on any stream
    exec.launch(other);
    float value = exec.fetch(total); // waits for the last launch
    // [/instantiate]
    CHECK(value == 256 * 5);

    // [run_on]
    run_on(stream, add_up, xs(x.data, x.count), ys(y.data, y.count), sums(256), factor(2));
    // [/run_on]
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);

    // [node_by_node]
    auto plain = instantiate(node_by_node(add_up), xs(x.data, x.count), ys(y.data, y.count), sums(256),
                             factor(2));
    // [/node_by_node]
    plain.launch(stream);
    CHECK(plain.fetch(total) == 256 * 9);

    auto moved = std::move(plain);
    CHECK(moved.exec_ref() != nullptr);
    auto shaped = instantiate(shapes, xs(x.data, x.count), ys(y.data, y.count));
    shaped.launch(stream);
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
    cudaStreamDestroy(stream);
    cudaStreamDestroy(other);
}

TEST_CASE("guide: failures") {
    const device_copy<float> x(std::vector<float>(16, 1));
    std::string message;
    // [cuda_error]
    try {
        instantiate(label("clear", kernel<clear>(grid(1).block(512))(out(xs))), xs(x.data, x.count));
    } catch (const cograph::cuda_error& problem) {
        message = problem.what();  // cograph: 'clear' (solver.cu:42) cudaGraphAddNode failed: ...
    }
    // [/cuda_error]
    CHECK(message.find("cograph: 'clear' (") == 0);
}

}  // namespace guide
