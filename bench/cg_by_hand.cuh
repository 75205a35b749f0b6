// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lowering.cuh"
#include "solver.cuh"

#include <cublas_v2.h>
#include <cusparse.h>

// Conjugate gradients with CUDA and its libraries alone.
namespace solver {

struct scalars {
    double rr, pAp, rr_next, alpha, minus_alpha, beta;
    int it;
};
struct vectors {
    double *x, *r, *p, *q, *Ap;
};
struct limits {
    double rr;
    int it;

    __device__ bool go_on(const scalars& s) const { return s.rr > rr && s.it < it; }
};

namespace hand {

using bench::check;
inline void check(cublasStatus_t status, int line = __builtin_LINE()) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    std::fprintf(stderr, "cg_by_hand.cuh:%d: %s\n", line, cublasGetStatusString(status));
    std::exit(1);
}
inline void check(cusparseStatus_t status, int line = __builtin_LINE()) {
    if (status == CUSPARSE_STATUS_SUCCESS) return;
    std::fprintf(stderr, "cg_by_hand.cuh:%d: %s\n", line, cusparseGetErrorString(status));
    std::exit(1);
}

static __global__ void compute_alpha(scalars* s) {
    s->alpha = s->rr / s->pAp;
    s->minus_alpha = -s->alpha;
}
static __global__ void compute_beta(scalars* s) {
    s->beta = s->rr_next / s->rr;
    s->rr = s->rr_next;
    s->it += 1;
}
static __global__ void decide(cudaGraphConditionalHandle again, const scalars* s, limits until) {
    cudaGraphSetConditional(again, until.go_on(*s));
}

// cuSPARSE and cuBLAS, captured into a WHILE.
class library_loop {
public:
    library_loop(cudaStream_t on, csr A, vectors of, scalars* with, limits until)
        : stream(on), v(of), s(with) {
        const int entries = count_entries(A);
        const double numbers[] = {1, 0};
        check(cudaMemcpy(constants.data, numbers, sizeof numbers, cudaMemcpyHostToDevice));
        check(cublasCreate(&blas));
        check(cublasSetStream(blas, stream));
        check(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
        check(cublasSetWorkspace(blas, workspace.data, workspace.count));
        check(cusparseCreate(&sparse));
        check(cusparseSetStream(sparse, stream));
        check(cusparseSetPointerMode(sparse, CUSPARSE_POINTER_MODE_DEVICE));
        check(cusparseCreateCsr(&matrix, A.rows, A.rows, entries, A.row_begin, A.column, A.value,
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                CUDA_R_64F));
        check(cusparseCreateDnVec(&p, A.rows, v.p, CUDA_R_64F));
        check(cusparseCreateDnVec(&Ap, A.rows, v.Ap, CUDA_R_64F));
        std::size_t bytes = 0;
        check(cusparseSpMV_bufferSize(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, one(), matrix, p, zero(), Ap,
                                      CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
        check(cudaMalloc(&buffer, bytes + 1));
        check(cusparseSpMV_preprocess(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, one(), matrix, p, zero(), Ap,
                                      CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
        rows = A.rows;
        iterate();  // libraries make what they need in the first call
        check(cudaStreamSynchronize(stream));
        const auto again = graph.condition(1);
        const auto loop = by_hand::add_conditional(graph.handle, {}, again, cudaGraphCondTypeWhile);
        check(cudaStreamBeginCaptureToGraph(stream, loop.body, nullptr, nullptr, 0,
                                            cudaStreamCaptureModeThreadLocal));
        iterate();
        decide<<<1, 1, 0, stream>>>(again, s, until);
        cudaGraph_t captured;
        check(cudaStreamEndCapture(stream, &captured));
        graph.instantiate();
    }
    ~library_loop() {
        cusparseDestroyDnVec(p);
        cusparseDestroyDnVec(Ap);
        cusparseDestroySpMat(matrix);
        cusparseDestroy(sparse);
        cublasDestroy(blas);
        cudaFree(buffer);
    }
    library_loop(const library_loop&) = delete;

    void launch(cudaStream_t on) const { graph.launch(on); }

private:
    static int count_entries(csr A) {
        int entries;
        check(cudaMemcpy(&entries, A.row_begin + A.rows, sizeof entries, cudaMemcpyDeviceToHost));
        return entries;
    }
    const double* one() const { return constants.data; }
    const double* zero() const { return constants.data + 1; }

    void iterate() {
        check(cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, one(), matrix, p, zero(), Ap, CUDA_R_64F,
                           CUSPARSE_SPMV_ALG_DEFAULT, buffer));
        check(cublasDdot(blas, rows, v.p, 1, v.Ap, 1, &s->pAp));
        compute_alpha<<<1, 1, 0, stream>>>(s);
        check(cublasDaxpy(blas, rows, &s->alpha, v.p, 1, v.x, 1));
        check(cublasDaxpy(blas, rows, &s->minus_alpha, v.Ap, 1, v.r, 1));
        check(cublasDdot(blas, rows, v.r, 1, v.r, 1, &s->rr_next));
        compute_beta<<<1, 1, 0, stream>>>(s);
        check(cublasDscal(blas, rows, &s->beta, v.p, 1));
        check(cublasDaxpy(blas, rows, one(), v.r, 1, v.p, 1));
    }

    cudaStream_t stream;
    vectors v;
    scalars* s;
    int rows = 0;
    bench::device_array<double> constants{2};
    bench::device_array<char> workspace{32 << 20};
    cublasHandle_t blas = nullptr;
    cusparseHandle_t sparse = nullptr;
    cusparseSpMatDescr_t matrix = nullptr;
    cusparseDnVecDescr_t p = nullptr, Ap = nullptr;
    void* buffer = nullptr;
    by_hand::graph graph;
};

__device__ inline int thread_number() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }
__device__ inline int threads() { return static_cast<int>(gridDim.x * blockDim.x); }

template <class Matrix>
__global__ void __launch_bounds__(256)
    turn_kernel(Matrix A, vectors v, scalars* s, double* partials, unsigned* ticket) {
    const int it = s->it;
    const double alpha = s->alpha, beta = s->beta;
    double sum = 0;
    for (int i = thread_number(); i < A.strips(); i += threads())
        sum += turn<false>{}(i, A, it, alpha, beta, v.r, v.x, v.p, v.q, v.Ap);
    lowering::reduce_grid(sum, partials, ticket, cograph::plus{},
                          [&](double pAp) { s->alpha = s->rr / pAp; });
}
template <class Matrix>
__global__ void __launch_bounds__(256)
    descend_kernel(Matrix A, vectors v, scalars* s, double* partials, unsigned* ticket, limits until,
                   cudaGraphConditionalHandle again) {
    const int it = s->it;
    const double alpha = s->alpha;
    double sum = 0;
    for (int i = thread_number(); i < A.strips(); i += threads())
        sum += descend<false>{}(i, A, it, alpha, v.p, v.q, v.Ap, v.r);
    lowering::reduce_grid(sum, partials, ticket, cograph::plus{}, [&](double rr) {
        s->beta = rr / s->rr;
        s->rr = rr;
        s->it = it + 1;
        cudaGraphSetConditional(again, until.go_on(*s));
    });
}
static __global__ void arrive_kernel(int rows, vectors v, const scalars* s) {
    for (int i = thread_number(); i < rows; i += threads())
        arrive{}(i, s->it, s->alpha, v.p[i], v.q[i], v.x[i]);
}

// Two kernels of one's own in a WHILE.
template <class Matrix>
class own_loop {
public:
    own_loop(Matrix A, vectors v, scalars* s, limits until) {
        const by_hand::shape grid{static_cast<unsigned>(std::min((A.strips() + 255) / 256, most_blocks)),
                                  256};
        const auto again = graph.condition(1);
        const auto loop = by_hand::add_conditional(graph.handle, {}, again, cudaGraphCondTypeWhile);
        const auto turned = by_hand::add_kernel(loop.body, {}, turn_kernel<Matrix>, grid, A, v, s,
                                                partials.data, ticket.data);
        by_hand::add_kernel(loop.body, turned, descend_kernel<Matrix>, grid, A, v, s, partials.data,
                            ticket.data, until, again);
        by_hand::add_kernel(graph.handle, loop.node, arrive_kernel, grid, A.rows, v, s);
        graph.instantiate();
    }
    void launch(cudaStream_t on) const { graph.launch(on); }

private:
    static constexpr int most_blocks = 132 * 8;
    bench::device_array<double> partials{most_blocks};
    bench::device_array<unsigned> ticket{1};
    by_hand::graph graph;
};

}  // namespace hand
}  // namespace solver
