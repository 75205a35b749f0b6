// SPDX-License-Identifier: Apache-2.0

// Nodes of cuBLAS, cuSPARSE and cuFFT against the same calls, captured by hand into a graph.

#include "bench.cuh"

#include <cograph/blas.cuh>
#include <cograph/fft.cuh>
#include <cograph/sparse.cuh>
#include <cublas_v2.h>
#include <cufft.h>
#include <cusparse.h>

#include <complex>
#include <cstdint>
#include <string>

namespace {

using namespace cograph;

inline constexpr struct A : buffer<A, double> {} A;
inline constexpr struct B : buffer<B, double> {} B;
inline constexpr struct C : buffer<C, double> {} C;
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct waves : buffer<waves, std::complex<double>> {} waves;
inline constexpr struct M : view<M, sparse::csr_view<double>> {} M;

constexpr double one = 1, zero = 0;

template <class Status>
void succeed(Status status, const char* call) {
    bench::expect(status == Status{}, call);
}

// Captures calls on a stream, and compares their graph to an executable.
template <class Calls, class Executable>
void measure(const bench::gpu& g, const std::string& what, int times, Calls calls, Executable exec) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t by_hand = nullptr;
    bench::check(cudaStreamBeginCapture(g.stream, cudaStreamCaptureModeThreadLocal));
    calls();
    bench::check(cudaStreamEndCapture(g.stream, &graph));
    bench::check(cudaGraphInstantiate(&by_hand, graph, 0));
    bench::row((what + " (us)").c_str(), bench::compare(10, [&] { return bench::back_to_back(g, times, [&] { bench::check(cudaGraphLaunch(by_hand, g.stream)); }); },
                                                        [&] { return bench::back_to_back(g, times, [&] { exec.launch(g.stream); }); }),
               1.02);
    cudaGraphExecDestroy(by_hand);
    cudaGraphDestroy(graph);
}

void measure_dense(const bench::gpu& g, int n) {
    const std::size_t size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    const bench::device_array<double> a(size), b(size), c(size);
    const bench::device_array<char> work(std::size_t{32} << 20);
    cublasHandle_t handle = nullptr;
    succeed(cublasCreate(&handle), "cublasCreate");
    succeed(cublasSetStream(handle, g.stream), "cublasSetStream");
    succeed(cublasSetWorkspace(handle, work.data, work.count), "cublasSetWorkspace");
    const auto bind = [&](const auto& e) { return instantiate(e, A(a.data, size), B(b.data, size), C(c.data, size)); };
    const std::string of = std::to_string(n);
    // Row by row, so the factors change places.
    measure(g, "gemm, " + of + " rows and columns", 20,
            [&] { succeed(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b.data, n, a.data, n, &zero, c.data, n), "cublasDgemm"); },
            bind(blas::gemm(out(C), in(A), in(B))));
    constexpr int side = 16;
    const int count = n * n / (side * side);
    measure(g, "batched_gemm, " + std::to_string(count) + " of 16 x 16", 20,
            [&] {
                succeed(cublasDgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, side, side, side, &one, b.data, side, side * side, a.data, side, side * side, &zero, c.data, side,
                                                  side * side, count),
                        "cublasDgemmStridedBatched");
            },
            bind(blas::batched_gemm(out(C), in(A), in(B), n * n / (side * side))));
    cublasDestroy(handle);
}

// A five-point matrix of a square.
void measure_sparse(const bench::gpu& g, int width) {
    std::vector<int> row_begins{0}, columns;
    const int n = width * width;
    for (int i = 0; i < n; ++i) {
        for (const int by : {-width, -1, 0, 1, width}) {
            const int j = i + by;
            if (j >= 0 && j < n && (by == -width || by == width || j / width == i / width)) columns.push_back(j);
        }
        row_begins.push_back(static_cast<int>(columns.size()));
    }
    const auto rows = static_cast<std::size_t>(n);
    constexpr int wide = 4;
    const bench::device_array<int> drows(row_begins.size()), dcolumns(columns.size());
    const bench::device_array<double> entries(columns.size()), from(rows * wide), to(rows * wide);
    bench::check(cudaMemcpy(drows.data, row_begins.data(), row_begins.size() * sizeof(int), cudaMemcpyHostToDevice));
    bench::check(cudaMemcpy(dcolumns.data, columns.data(), columns.size() * sizeof(int), cudaMemcpyHostToDevice));
    bench::check(cudaDeviceSynchronize());
    const auto count = static_cast<std::int64_t>(columns.size());
    const sparse::csr_view<double> view{drows.data, dcolumns.data, entries.data, n, n, count};

    cusparseHandle_t handle = nullptr;
    cusparseSpMatDescr_t matrix = nullptr;
    cusparseDnVecDescr_t vector = nullptr, product = nullptr;
    cusparseDnMatDescr_t vectors = nullptr, products = nullptr;
    succeed(cusparseCreate(&handle), "cusparseCreate");
    succeed(cusparseSetStream(handle, g.stream), "cusparseSetStream");
    succeed(cusparseCreateCsr(&matrix, n, n, count, drows.data, dcolumns.data, entries.data, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
            "cusparseCreateCsr");
    succeed(cusparseCreateDnVec(&vector, n, from.data, CUDA_R_64F), "cusparseCreateDnVec");
    succeed(cusparseCreateDnVec(&product, n, to.data, CUDA_R_64F), "cusparseCreateDnVec");
    succeed(cusparseCreateDnMat(&vectors, n, wide, wide, from.data, CUDA_R_64F, CUSPARSE_ORDER_ROW), "cusparseCreateDnMat");
    succeed(cusparseCreateDnMat(&products, n, wide, wide, to.data, CUDA_R_64F, CUSPARSE_ORDER_ROW), "cusparseCreateDnMat");
    constexpr auto as_it_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
    std::size_t of_vector = 0, of_vectors = 0;
    succeed(cusparseSpMV_bufferSize(handle, as_it_is, &one, matrix, vector, &zero, product, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG2, &of_vector), "cusparseSpMV_bufferSize");
    succeed(cusparseSpMM_bufferSize(handle, as_it_is, as_it_is, &one, matrix, vectors, &zero, products, CUDA_R_64F, CUSPARSE_SPMM_CSR_ALG2, &of_vectors), "cusparseSpMM_bufferSize");
    const bench::device_array<char> work(1 + (of_vector < of_vectors ? of_vectors : of_vector));
    const std::string of = std::to_string(n) + " rows";
    measure(g, "spmv, " + of, 20,
            [&] { succeed(cusparseSpMV(handle, as_it_is, &one, matrix, vector, &zero, product, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG2, work.data), "cusparseSpMV"); },
            instantiate(sparse::spmv(out(y), in(M), in(x)), M(view), x(from.data, rows), y(to.data, rows)));
    measure(g, "spmm, 4 columns, " + of, 20,
            [&] { succeed(cusparseSpMM(handle, as_it_is, as_it_is, &one, matrix, vectors, &zero, products, CUDA_R_64F, CUSPARSE_SPMM_CSR_ALG2, work.data), "cusparseSpMM"); },
            instantiate(sparse::spmm(out(y), in(M), in(x)), M(view), x(from.data, rows * wide), y(to.data, rows * wide)));
    cusparseDestroyDnMat(products);
    cusparseDestroyDnMat(vectors);
    cusparseDestroyDnVec(product);
    cusparseDestroyDnVec(vector);
    cusparseDestroySpMat(matrix);
    cusparseDestroy(handle);
}

void measure_transforms(const bench::gpu& g, int side) {
    const auto n = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
    const bench::device_array<std::complex<double>> complex_numbers(n);
    const bench::device_array<double> numbers(n);
    auto* const spectrum = reinterpret_cast<cufftDoubleComplex*>(complex_numbers.data);
    cufftHandle line = 0, square = 0;
    succeed(cufftPlan1d(&line, side * side, CUFFT_Z2Z, 1), "cufftPlan1d");
    succeed(cufftPlan2d(&square, side, side, CUFFT_D2Z), "cufftPlan2d");
    for (const cufftHandle plan : {line, square}) succeed(cufftSetStream(plan, g.stream), "cufftSetStream");
    measure(g, "fft::forward in place, " + std::to_string(n) + " complex elements", 20, [&] { succeed(cufftExecZ2Z(line, spectrum, spectrum, CUFFT_FORWARD), "cufftExecZ2Z"); },
            instantiate(fft::forward(inout(waves)), waves(complex_numbers.data, n)));
    const std::size_t half = static_cast<std::size_t>(side) * static_cast<std::size_t>(side / 2 + 1);
    measure(g, "fft::forward, " + std::to_string(side) + " x " + std::to_string(side) + " real elements", 20, [&] { succeed(cufftExecD2Z(square, numbers.data, spectrum), "cufftExecD2Z"); },
            instantiate(fft::forward(out(waves), in(x), side, side), waves(complex_numbers.data, half), x(numbers.data, n)));
    cufftDestroy(square);
    cufftDestroy(line);
}

}  // namespace

int main() {
    const bench::gpu g;
    bench::title("calls of libraries");
    measure_dense(g, 1024);
    measure_sparse(g, 1024);
    measure_transforms(g, 1024);
}
