// SPDX-License-Identifier: Apache-2.0
// Sums and dot products of doubles in a graph, against CUB and cuBLAS captured into one.
#include "in_a_row.cuh"

#include <cub/device/device_reduce.cuh>
#include <cublas_v2.h>
#include <thrust/iterator/counting_iterator.h>

#include <string>

namespace {

inline constexpr struct x : cograph::buffer<x, double> {} x;
inline constexpr struct y : cograph::buffer<y, double> {} y;
inline constexpr struct result : cograph::scalar<result, double> {} result;

void check(cublasStatus_t status, int line = __builtin_LINE()) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    std::fprintf(stderr, "reduce.cu:%d: %s\n", line, cublasGetStatusString(status));
    std::exit(1);
}
using bench::check;
using cograph::in;
using cograph::out;

__global__ void random_numbers(double* p, std::size_t n, unsigned long long seed) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long v = (i + seed) * 0x9e3779b97f4a7c15ull;  // splitmix64
    v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9ull;
    v = (v ^ (v >> 27)) * 0x94d049bb133111ebull;
    p[i] = static_cast<double>((v ^ (v >> 31)) >> 11) * 0x1p-53;
}

struct product {
    const double *x, *y;
    __host__ __device__ double operator()(std::ptrdiff_t i) const { return x[i] * y[i]; }
};

// CUB's two calls: one asks for the size of temporary storage, one works.
template <class Call>
struct cub_call {
    Call call;
    std::size_t bytes;
    bench::device_array<char> storage;

    explicit cub_call(Call c) : call(c), bytes(size(c)), storage(bytes) {}
    void operator()() { check(call(static_cast<void*>(storage.data), bytes)); }
    static std::size_t size(Call& c) {
        std::size_t n = 0;
        check(c(nullptr, n));
        return n + 1;
    }
};

bool close(double a, double b) {
    return std::abs(a - b) <= 1e-12 * std::abs(b);
}

template <class Library>
void measure(const bench::gpu& g, const std::string& name, double bytes, const by_hand::graph& hand,
             const bench::device_array<double>& by_hand_result, Library& library,
             const bench::device_array<double>& library_result) {
    const auto launch_hand = [&] { hand.launch(g.stream); };
    const auto launch_library = [&] { library.launch(g.stream); };
    const int times = bytes > 1e8 ? 3 : 30;
    const auto cost = bench::compare(
        15, [&] { return bench::back_to_back(g, times, launch_hand) / in_a_row; },
        [&] { return bench::back_to_back(g, times, launch_library) / in_a_row; });
    bench::expect(close(library_result.first(), by_hand_result.first()), name.c_str());
    bench::row((name + " (us)").c_str(), cost);
    if (bytes > 1e6)
        bench::row((name + " (GB/s)").c_str(),
                   {bytes / cost.by_hand / 1e3, bytes / cost.library / 1e3, cost.noise});
}

void measure_size(const bench::gpu& g, cublasHandle_t blas, int n, const char* size) {
    bench::device_array<double> a(n), b(n), expected(1), found(1);
    const unsigned blocks = (n + 255) / 256;
    random_numbers<<<blocks, 256, 0, g.stream>>>(a.data, n, 1);
    random_numbers<<<blocks, 256, 0, g.stream>>>(b.data, n, 2);
    check(cudaGetLastError());
    g.wait();

    auto dot = cograph::instantiate(repeated(cograph::dot(out(result), in(x), in(y))), x(a.data, n), y(b.data, n),
                                    result(found.data));
    auto sum = cograph::instantiate(repeated(cograph::reduce(out(result), in(x))), x(a.data, n), result(found.data));

    using thrust::make_counting_iterator;
    by_hand::graph cub_dot, cub_sum, blas_dot;
    cub_call dot_call{[&](void* storage, std::size_t& bytes) {
        return cub::DeviceReduce::TransformReduce(storage, bytes, make_counting_iterator(std::ptrdiff_t(0)),
                                                  expected.data, n, cuda::std::plus<>{}, product{a.data, b.data}, 0.0,
                                                  g.stream);
    }};
    cub_call sum_call{[&](void* storage, std::size_t& bytes) {
        return cub::DeviceReduce::Sum(storage, bytes, a.data, expected.data, n, g.stream);
    }};
    capture(g, cub_dot, [&] { dot_call(); });
    capture(g, cub_sum, [&] { sum_call(); });
    capture(g, blas_dot, [&] { check(cublasDdot(blas, n, a.data, 1, b.data, 1, expected.data)); });

    const double bytes = 8.0 * n;
    const std::string suffix = std::string(", n = ") + size;
    measure(g, "dot, CUB" + suffix, 2 * bytes, cub_dot, expected, dot, found);
    measure(g, "dot, cuBLAS" + suffix, 2 * bytes, blas_dot, expected, dot, found);
    measure(g, "sum, CUB" + suffix, bytes, cub_sum, expected, sum, found);
}

}  // namespace

int main() {
    bench::gpu g;
    bench::title("reduce (one of 10 in a row in a graph)");
    cublasHandle_t blas;
    check(cublasCreate(&blas));
    check(cublasSetStream(blas, g.stream));
    check(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
    bench::device_array<char> workspace(32 << 20);
    check(cublasSetWorkspace(blas, workspace.data, workspace.count));

    measure_size(g, blas, 1'000, "1e3");
    measure_size(g, blas, 100'000, "1e5");
    measure_size(g, blas, 1'000'000, "1e6");
    measure_size(g, blas, 100'000'000, "1e8");
    check(cublasDestroy(blas));
}
