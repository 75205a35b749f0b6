// SPDX-License-Identifier: Apache-2.0

// Loops that the host drives against a graph that is replayed, with one flag copied back every eight times; and calls of cuBLAS as nodes
// against the same calls, captured by hand.

#include "bench.cuh"

#include <cograph/blas.cuh>
#include <cograph/host_driven.cuh>

#include <cublas_v2.h>

#include <string>

namespace {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct A : buffer<A, double> {} A;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct passes : scalar<passes, int> {} passes;

struct relax {
    COGRAPH_HD void operator()(index_t, double& to, const double& from) const { to = 0.5 * (to + from); }
};
__global__ void relax_all(double* to, const double* from, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) to[i] = 0.5 * (to[i] + from[i]);
}
__global__ void count_up(int* count) { *count += 1; }
__global__ void go_on(const int* count, int most, int* flag) { *flag = *count < most; }

constexpr int iterations = 2000;

void measure_loop(const bench::gpu& g, int n) {
    bench::device_array<double> dx(static_cast<std::size_t>(n)), dy(static_cast<std::size_t>(n));
    bench::device_array<int> count(1), flag(1);
    const auto loop = seq(assign(passes, 0), loop_while(passes < iterations,
                                                        host_driven(seq(for_each(over(x), relax{})(inout(x[each]), in(y[each])), for_each(over(x), relax{})(inout(y[each]), in(x[each])),
                                                                        assign(passes, passes + 1))),
                                                        check_every<8>));
    auto exec = instantiate(loop, x(dx.data, n), y(dy.data, n), passes(count.data));

    // One iteration is a graph.
    cudaStream_t capture = nullptr;
    bench::check(cudaStreamCreateWithFlags(&capture, cudaStreamNonBlocking));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t one = nullptr;
    const unsigned blocks = static_cast<unsigned>((n + 255) / 256);
    bench::check(cudaStreamBeginCapture(capture, cudaStreamCaptureModeThreadLocal));
    relax_all<<<blocks, 256, 0, capture>>>(dx.data, dy.data, n);
    relax_all<<<blocks, 256, 0, capture>>>(dy.data, dx.data, n);
    count_up<<<1, 1, 0, capture>>>(count.data);
    bench::check(cudaStreamEndCapture(capture, &graph));
    bench::check(cudaGraphInstantiate(&one, graph, 0));
    int* answer = nullptr;
    bench::check(cudaMallocHost(&answer, sizeof(int)));
    const auto by_hand = [&] {
        bench::check(cudaMemsetAsync(count.data, 0, sizeof(int), g.stream));
        do {
            for (int i = 0; i < 8; ++i) bench::check(cudaGraphLaunch(one, g.stream));
            go_on<<<1, 1, 0, g.stream>>>(count.data, iterations, flag.data);
            bench::check(cudaMemcpyAsync(answer, flag.data, sizeof(int), cudaMemcpyDeviceToHost, g.stream));
            g.wait();
        } while (*answer);
    };
    const auto timed = [&](auto run) {
        g.wait();
        const double begin = bench::now();
        run();
        g.wait();
        return (bench::now() - begin) / iterations;
    };
    exec.launch(g.stream);
    g.wait();
    bench::expect(count.first() == iterations, "passes");
    by_hand();
    bench::expect(count.first() == iterations, "passes by hand");
    const auto both = bench::compare(
        10, [&] { return timed(by_hand); }, [&] { return timed([&] { exec.launch(g.stream); }); });
    bench::row(("loop on the host, check_every<8>, " + std::to_string(n) + " elements (us an iteration)").c_str(), both, 1.05);
    cudaFreeHost(answer);
    cudaGraphExecDestroy(one);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(capture);
}

void measure_calls(const bench::gpu& g, int n) {
    const auto size = static_cast<std::size_t>(n);
    bench::device_array<double> da(size * size), dx(size), dy(size), ds(1);
    const auto once = seq(blas::gemv(out(y), in(A), in(x)), blas::dot(out(s), in(y), in(x)), blas::axpy(inout(x), in(y), 0.5));
    auto exec = instantiate(once, A(da.data, n * n), x(dx.data, n), y(dy.data, n), s(ds.data));

    cublasHandle_t handle = nullptr;
    cudaStream_t capture = nullptr;
    bench::device_array<char> work(std::size_t{4} << 20);
    bench::check(cudaStreamCreateWithFlags(&capture, cudaStreamNonBlocking));
    bench::expect(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
    cublasSetStream(handle, capture);
    cublasSetWorkspace(handle, work.data, work.count);
    const double one = 1, zero = 0, half = 0.5;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t by_hand = nullptr;
    bench::check(cudaStreamBeginCapture(capture, cudaStreamCaptureModeThreadLocal));
    cublasDgemv(handle, CUBLAS_OP_T, n, n, &one, da.data, n, dx.data, 1, &zero, dy.data, 1);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    cublasDdot(handle, n, dy.data, 1, dx.data, 1, ds.data);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    cublasDaxpy(handle, n, &half, dy.data, 1, dx.data, 1);
    bench::check(cudaStreamEndCapture(capture, &graph));
    bench::check(cudaGraphInstantiate(&by_hand, graph, 0));
    const auto both = bench::compare(
        20, [&] { return bench::back_to_back(g, 50, [&] { bench::check(cudaGraphLaunch(by_hand, g.stream)); }); },
        [&] { return bench::back_to_back(g, 50, [&] { exec.launch(g.stream); }); });
    bench::row(("gemv, dot, axpy of cuBLAS, " + std::to_string(n) + " elements (us)").c_str(), both, 1.02);
    cudaGraphExecDestroy(by_hand);
    cudaGraphDestroy(graph);
    cublasDestroy(handle);
    cudaStreamDestroy(capture);
}

}  // namespace

int main() {
    const bench::gpu g;
    for (int n : {1000, 1000000}) measure_loop(g, n);
    for (int n : {1000, 4000}) measure_calls(g, n);
}
