// SPDX-License-Identifier: Apache-2.0
#pragma once

// Calls of cuSPARSE as nodes, and triangular solves by kernels: sparse::spmv(out(y), in(A), in(x)). cograph.cuh does not include this.

#include <cograph.cuh>
#include <cograph/libraries/library_handles.cuh>
#include <cograph/libraries/rows/order_in_graph.cuh>
#include <cograph/libraries/rows/solve_rows.cuh>
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

template <half Half, bool Unit, class T>
void enqueue_call(solve<Half, Unit>, handle_of_the_library, void* work, std::size_t& bytes, cudaStream_t on, T* x, index_t n, const sparse::csr_view<T>& a) {
    solve<Half, Unit>::need(n, a);
    const std::size_t needed = solve_progress<T>::bytes(n);
    if (!work) {
        bytes = needed;
        return;
    }
    if (n == 0) return;
    int device = 0, multiprocessors = 0;
    core::must_succeed(cudaGetDevice(&device), "cudaGetDevice");
    core::must_succeed(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
    const rows_of_threads by(n, a.entry_count);
    constexpr bool forward = Half == half::lower;
    auto* const progress = static_cast<solve_progress<T>*>(work);
    row_order* const order = order_in_graph(on, n);
    core::must_succeed(cudaMemsetAsync(work, 0, needed, on), "cudaMemsetAsync");
    if (!order) {
        solve_rows<forward, Unit, false><<<by.blocks(n), rows_of_threads::block, 0, on>>>(x, a, progress, order, by.of_warp);
        return;
    }
    const auto in_order = solve_in_order_for<forward, Unit, T>(n, a.entry_count);
    in_order<<<blocks_in_order(by.blocks(n), multiprocessors), rows_of_threads::block, 0, on>>>(x, a, progress, order, by.of_warp);
    solve_rows<forward, Unit, true><<<by.blocks(n), rows_of_threads::block, 0, on>>>(x, a, progress, order, by.of_warp);
}

}  // namespace cograph::core::sparse_routine
