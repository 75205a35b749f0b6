// SPDX-License-Identifier: Apache-2.0

// Conjugate gradients by cuBLAS and cuSPARSE: their calls are nodes of a loop, and of a branch in it, and the loop stays on
// the device. Solves a Poisson problem whose solution is known.

#include "../anywhere.hpp"

#include <cublas_v2.h>
#include <cusparse.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

using namespace cograph;

// The handles; on the host alone there are none.
struct libraries {
    cublasHandle_t blas = nullptr;
    cusparseHandle_t sparse = nullptr;

    libraries() {
        if (!anywhere::has_gpu()) return;
        if (cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS || cusparseCreate(&sparse) != CUSPARSE_STATUS_SUCCESS)
            throw std::runtime_error("no cuBLAS or cuSPARSE");
        cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE);
    }
    ~libraries() {
        if (sparse) cusparseDestroy(sparse);
        if (blas) cublasDestroy(blas);
    }
    libraries(const libraries&) = delete;
    libraries& operator=(const libraries&) = delete;
};

// [blas]
// What every call of cuBLAS needs: the stream, and memory to work in, since a call may not allocate where it is captured.
inline cublasStatus_t prepare(cublasHandle_t blas, cudaStream_t stream, char* work, index_t bytes) {
    const cublasStatus_t status = cublasSetStream(blas, stream);
    return status == CUBLAS_STATUS_SUCCESS ? cublasSetWorkspace(blas, work, static_cast<std::size_t>(bytes)) : status;
}

// result = u * v, both on the device.
struct blas_dot {
    cublasHandle_t blas;
    cublasStatus_t operator()(cudaStream_t stream, const double* u, const double* v, double* result, index_t n, char* work, index_t bytes) const {
        const cublasStatus_t status = prepare(blas, stream, work, bytes);
        return status == CUBLAS_STATUS_SUCCESS ? cublasDdot(blas, static_cast<int>(n), u, 1, v, 1, result) : status;
    }
};
// The same for simulate.
struct host_dot {
    void operator()(const double* u, const double* v, double* result, index_t n, char*, index_t) const {
        *result = 0;
        for (index_t i = 0; i < n; ++i) *result += u[i] * v[i];
    }
};
// [/blas]

// v += factor * u, factor on the device.
struct blas_axpy {
    cublasHandle_t blas;
    cublasStatus_t operator()(cudaStream_t stream, const double* factor, const double* u, double* v, index_t n, char* work, index_t bytes) const {
        const cublasStatus_t status = prepare(blas, stream, work, bytes);
        return status == CUBLAS_STATUS_SUCCESS ? cublasDaxpy(blas, static_cast<int>(n), factor, u, 1, v, 1) : status;
    }
};
struct host_axpy {
    void operator()(const double* factor, const double* u, double* v, index_t n, char*, index_t) const {
        for (index_t i = 0; i < n; ++i) v[i] += *factor * u[i];
    }
};
// v = factor * v
struct blas_scale {
    cublasHandle_t blas;
    cublasStatus_t operator()(cudaStream_t stream, const double* factor, double* v, index_t n, char* work, index_t bytes) const {
        const cublasStatus_t status = prepare(blas, stream, work, bytes);
        return status == CUBLAS_STATUS_SUCCESS ? cublasDscal(blas, static_cast<int>(n), factor, v, 1) : status;
    }
};
struct host_scale {
    void operator()(const double* factor, double* v, index_t n, char*, index_t) const {
        for (index_t i = 0; i < n; ++i) v[i] *= *factor;
    }
};

// [sparse]
// v = A * u. Like CUB, cuSPARSE says how large a workspace it needs: cub_call asks when the expression is instantiated.
struct sparse_multiply {
    cusparseHandle_t sparse;
    cusparseStatus_t operator()(void* work, std::size_t& bytes, const int* rows, const int* columns, const double* entries, const double* u,
                                double* v, index_t n, index_t nonzeros, cudaStream_t stream) const {
        cusparseConstSpMatDescr_t matrix = nullptr;
        cusparseConstDnVecDescr_t from = nullptr;
        cusparseDnVecDescr_t to = nullptr;
        const double one = 1, zero = 0;
        cusparseSetStream(sparse, stream);
        cusparseCreateConstCsr(&matrix, n, n, nonzeros, rows, columns, entries, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                               CUDA_R_64F);
        cusparseCreateConstDnVec(&from, n, u, CUDA_R_64F);
        cusparseCreateDnVec(&to, n, v, CUDA_R_64F);
        const cusparseStatus_t status =
            work ? cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, to, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG2, work)
                 : cusparseSpMV_bufferSize(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, to, CUDA_R_64F,
                                           CUSPARSE_SPMV_CSR_ALG2, &bytes);
        if (!work && bytes == 0) bytes = 1;
        cusparseDestroyDnVec(to);
        cusparseDestroyDnVec(from);
        cusparseDestroySpMat(matrix);
        return status;
    }
};
// [/sparse]
struct host_multiply {
    void operator()(const int* rows, const int* columns, const double* entries, const double* u, double* v, index_t n, index_t) const {
        for (index_t row = 0; row < n; ++row) {
            v[row] = 0;
            for (int e = rows[row]; e < rows[row + 1]; ++e) v[row] += entries[e] * u[columns[e]];
        }
    }
};

// [variables]
inline constexpr struct rows : buffer<rows, int> {} rows;  // the matrix, in compressed rows
inline constexpr struct columns : buffer<columns, int> {} columns;
inline constexpr struct entries : buffer<entries, double> {} entries;
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct b : buffer<b, double> {} b;
inline constexpr struct r : temp<r, double, struct x> {} r;
inline constexpr struct p : temp<p, double, struct x> {} p;
inline constexpr struct Ap : temp<Ap, double, struct x> {} Ap;
inline constexpr struct rr : scalar<rr, double> {} rr;
inline constexpr struct new_rr : scalar<new_rr, double> {} new_rr;
inline constexpr struct pAp : scalar<pAp, double> {} pAp;
inline constexpr struct step : scalar<step, double> {} step;
inline constexpr struct back : scalar<back, double> {} back;
inline constexpr struct turn : scalar<turn, double> {} turn;
inline constexpr struct passes : scalar<passes, int> {} passes;
inline constexpr struct tolerance : value<tolerance, double> {} tolerance;
inline constexpr struct workspace : temp<workspace, char> {} workspace;  // for cuBLAS
// [/variables]

// [solver]
auto conjugate_gradients(const libraries& use) {
    const auto multiply = [&](auto from, auto to) {
        return label("A *", cub_call(sparse_multiply{use.sparse}, host_multiply{})(in(rows), in(columns), in(entries), from, to, extent(x),
                                                                                  extent(entries)));
    };
    const auto dot = [&](auto u, auto v, auto result) {
        return label("dot", captured(blas_dot{use.blas}, host_dot{})(u, v, result, extent(x), inout(workspace), extent(workspace)));
    };
    const auto axpy = [&](auto factor, auto u, auto v) {
        return label("axpy", captured(blas_axpy{use.blas}, host_axpy{})(factor, u, v, extent(x), inout(workspace), extent(workspace)));
    };
    const auto scale = [&](auto factor, auto v) {
        return label("scale", captured(blas_scale{use.blas}, host_scale{})(factor, v, extent(x), inout(workspace), extent(workspace)));
    };
    const auto residual = seq(multiply(in(x), out(Ap)), assign(back, -1), copy(in(b), out(r)), axpy(in(back), in(Ap), inout(r)));
    const auto begin = seq(assign(passes, 0), assign(turn, 1), fill(out(workspace), 0), residual, copy(in(r), out(p)), dot(in(r), in(r), out(rr)));
    const auto pass = seq(multiply(in(p), out(Ap)),
                          dot(in(p), in(Ap), out(pAp)),
                          assign(step, rr / pAp), assign(back, 0 - step),
                          axpy(in(step), in(p), inout(x)),
                          when(passes % 50 == 49, residual,  // rounding has piled up: begin anew
                               otherwise(axpy(in(back), in(Ap), inout(r)))),
                          dot(in(r), in(r), out(new_rr)),
                          assign(back, new_rr / rr), assign(rr, new_rr),
                          scale(in(back), inout(p)),
                          axpy(in(turn), in(r), inout(p)),  // p = r + back * p
                          assign(passes, passes + 1));
    return seq(begin, loop_while(rr > tolerance && passes < 2000, pass));
}
// [/solver]

// The five-point stencil on a square.
struct poisson {
    std::vector<int> rows{0}, columns;
    std::vector<double> entries;

    explicit poisson(int side) {
        for (int at = 0; at < side * side; ++at) {
            const auto put = [&](int column, double entry) {
                columns.push_back(column);
                entries.push_back(entry);
            };
            if (at >= side) put(at - side, -1);
            if (at % side > 0) put(at - 1, -1);
            put(at, 4);
            if (at % side < side - 1) put(at + 1, -1);
            if (at + side < side * side) put(at + side, -1);
            rows.push_back(static_cast<int>(columns.size()));
        }
    }
};

template <class T>
anywhere::array<T> copy_of(const std::vector<T>& from) {
    anywhere::array<T> to(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i];
    return to;
}

int main(int argc, char**) try {
    anywhere::take_no_arguments(argc);
    const int side = 96;
    const std::size_t n = side * side;
    const poisson problem(side);
    std::vector<double> wanted(n), right(n, 0);
    for (std::size_t i = 0; i < n; ++i) wanted[i] = std::sin(static_cast<double>(i));
    host_multiply{}(problem.rows.data(), problem.columns.data(), problem.entries.data(), wanted.data(), right.data(), static_cast<index_t>(n), 0);

    const auto A_rows = copy_of(problem.rows);
    const auto A_columns = copy_of(problem.columns);
    const auto A_entries = copy_of(problem.entries);
    const auto rhs = copy_of(right);
    const anywhere::array<double> solution(n);
    const anywhere::array<int> count(1);
    const libraries use;

    anywhere::run(conjugate_gradients(use), rows(A_rows.span()), columns(A_columns.span()), entries(A_entries.span()), x(solution.span()),
                  b(rhs.span()), tolerance(1e-20), workspace(std::size_t{4} << 20), passes(count.data()));

    double error = 0;
    for (std::size_t i = 0; i < n; ++i) error = std::fmax(error, std::fabs(solution[i] - wanted[i]));
    std::printf("%s: %d passes, error %.1e\n", anywhere::way_to_run(), count[0], error);
    return error < 1e-8 && count[0] > 50 && count[0] < 2000 ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "library_solver: %s\n", problem.what());
    return 1;
}
