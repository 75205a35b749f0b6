// SPDX-License-Identifier: Apache-2.0
#pragma once

// Calls of cuSPARSE as nodes, and triangular solves by a kernel: sparse::spmv(out(y), in(A), in(x)). cograph.cuh does not include this.

#include <cograph.cuh>
#include <cograph/libraries/library_handles.cuh>
#include <cograph/libraries/sparse.hpp>

#include <cusparse.h>

#include <cstdint>

namespace cograph::core::sparse_routine {

inline void must_succeed(cusparseStatus_t status, const char* call) {
    if (status != CUSPARSE_STATUS_SUCCESS) refuse_library_call(call, cusparseGetErrorName(status), cusparseGetErrorString(status));
}
struct cusparse {
    using handle_type = cusparseHandle_t;
    static cusparseHandle_t make() {
        cusparseHandle_t handle = nullptr;
        must_succeed(cusparseCreate(&handle), "cusparseCreate");
        return handle;
    }
};
template <class T>
inline constexpr cudaDataType kind_of_number = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;

// Descriptors live as long as one call. Asked for a workspace, memory may not exist yet; cuSPARSE does not look into it then.
template <class T>
T* or_some_address(T* memory) {
    return memory ? memory : reinterpret_cast<T*>(std::uintptr_t{bytes_of_factors});
}
inline void destroy(cusparseConstSpMatDescr_t d) { cusparseDestroySpMat(d); }
inline void destroy(cusparseConstDnVecDescr_t d) { cusparseDestroyDnVec(d); }
inline void destroy(cusparseConstDnMatDescr_t d) { cusparseDestroyDnMat(d); }
template <class D>
class descriptor {
public:
    descriptor() = default;
    ~descriptor() {
        if (made_) destroy(made_);
    }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    D* put() { return &made_; }
    D get() const { return made_; }

private:
    D made_ = nullptr;
};
template <class T>
void describe(descriptor<cusparseConstSpMatDescr_t>& to, const sparse::csr_view<T>& a) {
    must_succeed(cusparseCreateConstCsr(to.put(), a.row_count, a.column_count, a.entry_count, or_some_address(a.rows), or_some_address(a.columns),
                                        or_some_address(a.entries), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, kind_of_number<T>),
                 "cusparseCreateConstCsr");
}

// Makes a call with a handle on its stream, whose numbers are on one side; it is then as it was.
template <class Handle, class Call>
void with_cusparse(Handle users, cudaStream_t on, cusparsePointerMode_t mode, const char* name, Call call) {
    const handle_in_use<cusparse> used(users);
    cudaStream_t stream_before = nullptr;
    cusparsePointerMode_t mode_before = CUSPARSE_POINTER_MODE_HOST;
    must_succeed(cusparseGetStream(used.get(), &stream_before), "cusparseGetStream");
    must_succeed(cusparseGetPointerMode(used.get(), &mode_before), "cusparseGetPointerMode");
    must_succeed(cusparseSetStream(used.get(), on), "cusparseSetStream");
    must_succeed(cusparseSetPointerMode(used.get(), mode), "cusparseSetPointerMode");
    const cusparseStatus_t status = call(used.get());
    cusparseSetPointerMode(used.get(), mode_before);
    cusparseSetStream(used.get(), stream_before);
    must_succeed(status, name);
}
template <class... F>
inline constexpr cusparsePointerMode_t mode_of = any_on_device<F...> ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST;

// The algorithms give the same bits every time.
template <class H, class T, class A, class B>
void enqueue_call(spmv, H handle, void* work, std::size_t& bytes, cudaStream_t on, T* y, index_t y_size, const sparse::csr_view<T>& a, const T* x, index_t x_size,
                  A alpha, B beta) {
    spmv::need(y_size, a, x_size);
    descriptor<cusparseConstSpMatDescr_t> matrix;
    descriptor<cusparseConstDnVecDescr_t> from;
    cusparseDnVecDescr_t to = nullptr;
    describe(matrix, a);
    must_succeed(cusparseCreateConstDnVec(from.put(), x_size, or_some_address(x), kind_of_number<T>), "cusparseCreateConstDnVec");
    must_succeed(cusparseCreateDnVec(&to, y_size, or_some_address(y), kind_of_number<T>), "cusparseCreateDnVec");
    descriptor<cusparseConstDnVecDescr_t> owner;
    *owner.put() = to;
    const T number = 1;
    if (!work) {
        with_cusparse(handle, on, CUSPARSE_POINTER_MODE_HOST, "cusparseSpMV_bufferSize", [&](cusparseHandle_t used) {
            return cusparseSpMV_bufferSize(used, CUSPARSE_OPERATION_NON_TRANSPOSE, &number, matrix.get(), from.get(), &number, to, kind_of_number<T>,
                                           CUSPARSE_SPMV_CSR_ALG2, &bytes);
        });
        bytes += bytes_of_factors;
        return;
    }
    T* const numbers = static_cast<T*>(work);
    const library_factor<T, any_on_device<A, B>> factor(alpha, numbers, on), old(beta, numbers + 1, on);
    with_cusparse(handle, on, mode_of<A, B>, "cusparseSpMV", [&](cusparseHandle_t used) {
        return cusparseSpMV(used, CUSPARSE_OPERATION_NON_TRANSPOSE, factor.get(), matrix.get(), from.get(), old.get(), to, kind_of_number<T>,
                            CUSPARSE_SPMV_CSR_ALG2, static_cast<char*>(work) + bytes_of_factors);
    });
}
template <class H, class T, class A, class B>
void enqueue_call(spmm, H handle, void* work, std::size_t& bytes, cudaStream_t on, T* y, index_t y_size, const sparse::csr_view<T>& a, const T* x, index_t x_size,
                  A alpha, B beta) {
    const index_t columns = columns_of_product("spmm", y_size, a, x_size);
    if (columns == 0) {
        bytes = bytes_of_factors;
        return;
    }
    descriptor<cusparseConstSpMatDescr_t> matrix;
    descriptor<cusparseConstDnMatDescr_t> from;
    cusparseDnMatDescr_t to = nullptr;
    describe(matrix, a);
    must_succeed(cusparseCreateConstDnMat(from.put(), a.column_count, columns, columns, or_some_address(x), kind_of_number<T>, CUSPARSE_ORDER_ROW),
                 "cusparseCreateConstDnMat");
    must_succeed(cusparseCreateDnMat(&to, a.row_count, columns, columns, or_some_address(y), kind_of_number<T>, CUSPARSE_ORDER_ROW), "cusparseCreateDnMat");
    descriptor<cusparseConstDnMatDescr_t> owner;
    *owner.put() = to;
    const T number = 1;
    if (!work) {
        with_cusparse(handle, on, CUSPARSE_POINTER_MODE_HOST, "cusparseSpMM_bufferSize", [&](cusparseHandle_t used) {
            return cusparseSpMM_bufferSize(used, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &number, matrix.get(), from.get(), &number, to,
                                           kind_of_number<T>, CUSPARSE_SPMM_CSR_ALG2, &bytes);
        });
        bytes += bytes_of_factors;
        return;
    }
    T* const numbers = static_cast<T*>(work);
    const library_factor<T, any_on_device<A, B>> factor(alpha, numbers, on), old(beta, numbers + 1, on);
    with_cusparse(handle, on, mode_of<A, B>, "cusparseSpMM", [&](cusparseHandle_t used) {
        return cusparseSpMM(used, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, factor.get(), matrix.get(), from.get(), old.get(), to,
                            kind_of_number<T>, CUSPARSE_SPMM_CSR_ALG2, static_cast<char*>(work) + bytes_of_factors);
    });
}

// A warp solves a row and waits for the elements that the row needs. Rows are dealt out in order, so it waits for warps that run.
// cuSPARSE would first analyse the matrix, which cannot be captured; cusparseSpSV_solve takes the numbers that the matrix had then.
template <bool Forward, bool Unit, class T>
__global__ void solve_rows(T* x, const sparse::csr_view<T> a, int* next_row, int* is_solved) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int n = static_cast<int>(a.row_count);
    while (true) {
        int step = 0;
        if (lane == 0) step = atomicAdd(next_row, 1);
        step = __shfl_sync(~0u, step, 0);
        if (step >= n) return;
        const int i = Forward ? step : n - 1 - step;
        T sum = 0, diagonal = 0;
        for (int e = a.rows[i] + lane; e < a.rows[i + 1]; e += 32) {
            const int j = a.columns[e];
            if (j == i) diagonal = a.entries[e];
            if (Forward ? j < i : j > i) {
                while (*const_cast<volatile int*>(is_solved + j) == 0) {
                }
                __threadfence();
                sum += a.entries[e] * *const_cast<volatile T*>(x + j);
            }
        }
        __syncwarp();
        for (int other = 16; other > 0; other /= 2) {
            sum += __shfl_xor_sync(~0u, sum, other);
            diagonal += __shfl_xor_sync(~0u, diagonal, other);
        }
        if (lane == 0) {
            *const_cast<volatile T*>(x + i) = Unit ? x[i] - sum : (x[i] - sum) / diagonal;
            __threadfence();
            *const_cast<volatile int*>(is_solved + i) = 1;
        }
    }
}
template <half Half, bool Unit, class T>
void enqueue_call(solve<Half, Unit>, handle_of_the_library, void* work, std::size_t& bytes, cudaStream_t on, T* x, index_t n, const sparse::csr_view<T>& a) {
    solve<Half, Unit>::need(n, a);
    const std::size_t needed = (static_cast<std::size_t>(n) + 1) * sizeof(int);
    if (!work) {
        bytes = needed;
        return;
    }
    if (n == 0) return;
    constexpr int threads = 128;
    int* const next_row = static_cast<int*>(work);
    const index_t blocks = (n + threads / 32 - 1) / (threads / 32);
    core::must_succeed(cudaMemsetAsync(next_row, 0, needed, on), "cudaMemsetAsync");
    solve_rows<Half == half::lower, Unit><<<static_cast<unsigned>(blocks < 1056 ? blocks : 1056), threads, 0, on>>>(x, a, next_row, next_row + 1);
}

}  // namespace cograph::core::sparse_routine
