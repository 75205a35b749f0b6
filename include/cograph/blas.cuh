// SPDX-License-Identifier: Apache-2.0
#pragma once

// Calls of cuBLAS as nodes: blas::gemv(out(y), in(A), in(x)). cograph.cuh does not include this.

#include <cograph.cuh>
#include <cograph/libraries/blas/blas.hpp>
#include <cograph/libraries/library_handles.cuh>

#include <cublas_v2.h>

namespace cograph::core::blas_routine {

inline void must_succeed(cublasStatus_t status, const char* call) {
    if (status != CUBLAS_STATUS_SUCCESS) refuse_library_call(call, cublasGetStatusName(status), cublasGetStatusString(status));
}
struct cublas {
    using handle_type = cublasHandle_t;
    static cublasHandle_t make() {
        cublasHandle_t handle = nullptr;
        must_succeed(cublasCreate(&handle), "cublasCreate");
        return handle;
    }
};

// How large a workspace NVIDIA advises for products of matrices; other routines need less.
inline std::size_t workspace_of(bool multiplies_matrices) {
    int device = 0, major = 0;
    core::must_succeed(cudaGetDevice(&device), "cudaGetDevice");
    core::must_succeed(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "cudaDeviceGetAttribute");
    return bytes_of_factors + (std::size_t{multiplies_matrices && major >= 9 ? 32u : 4u} << 20);
}

// A handle for one call: on its stream, with its workspace. Afterwards its previous settings are restored, except for
// the workspace.
class call_of_cublas {
public:
    template <class Handle>
    call_of_cublas(Handle handle, cudaStream_t on, void* work, std::size_t bytes, cublasPointerMode_t mode) : handle_(handle) {
        must_succeed(cublasGetStream(get(), &stream_before_), "cublasGetStream");
        must_succeed(cublasGetPointerMode(get(), &mode_before_), "cublasGetPointerMode");
        must_succeed(cublasSetStream(get(), on), "cublasSetStream");
        must_succeed(cublasSetWorkspace(get(), static_cast<char*>(work) + bytes_of_factors, bytes - bytes_of_factors), "cublasSetWorkspace");
        must_succeed(cublasSetPointerMode(get(), mode), "cublasSetPointerMode");
    }
    ~call_of_cublas() {
        cublasSetPointerMode(get(), mode_before_);
        cublasSetStream(get(), stream_before_);
    }
    call_of_cublas(const call_of_cublas&) = delete;
    call_of_cublas& operator=(const call_of_cublas&) = delete;
    cublasHandle_t get() const { return handle_.get(); }

private:
    handle_in_use<cublas> handle_;
    cudaStream_t stream_before_ = nullptr;
    cublasPointerMode_t mode_before_ = CUBLAS_POINTER_MODE_HOST;
};

// Makes the call `enqueue(handle)`, or is asked for a workspace.
template <bool MultipliesMatrices, class Handle, class Enqueue>
void call_or_size(Handle handle, void* work, std::size_t& bytes, cudaStream_t on, cublasPointerMode_t mode, const char* name, Enqueue enqueue) {
    if (!work) {
        if constexpr (std::is_same_v<Handle, handle_of_the_library>) handle_in_use<cublas>{handle};
        bytes = workspace_of(MultipliesMatrices);
        return;
    }
    const call_of_cublas call(handle, on, work, bytes, mode);
    must_succeed(enqueue(call.get()), name);
}
template <class... F>
inline constexpr cublasPointerMode_t mode_of = any_on_device<F...> ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST;

// One name for both kinds of numbers.
#define COGRAPH_CUBLAS(name, letters)                                                                              \
    template <class T, class... A>                                                                                 \
    cublasStatus_t cublas_##name(cublasHandle_t handle, A... a) {                                                  \
        if constexpr (std::is_same_v<T, float>)                                                                    \
            return cublasS##letters(handle, a...);                                                                 \
        else                                                                                                       \
            return cublasD##letters(handle, a...);                                                                 \
    }
COGRAPH_CUBLAS(axpy, axpy_64)
COGRAPH_CUBLAS(scal, scal_64)
COGRAPH_CUBLAS(dot, dot_64)
COGRAPH_CUBLAS(nrm2, nrm2_64)
COGRAPH_CUBLAS(gemv, gemv_64)
COGRAPH_CUBLAS(gemm, gemm_64)
COGRAPH_CUBLAS(batched_gemm, gemmStridedBatched_64)
COGRAPH_CUBLAS(trsv, trsv_64)
#undef COGRAPH_CUBLAS

template <class H, class T, class A>
void enqueue_call(axpy, H handle, void* work, std::size_t& bytes, cudaStream_t on, T* y, index_t n, const T* x, index_t m, A alpha) {
    need_two_of_one_length("axpy", n, m);
    call_or_size<false>(handle, work, bytes, on, mode_of<A>, "cublas<t>axpy", [&](cublasHandle_t cublas) {
        const library_factor<T, false> factor(alpha, nullptr, on);
        return cublas_axpy<T>(cublas, n, factor.get(), x, 1, y, 1);
    });
}
template <class H, class T, class A>
void enqueue_call(scal, H handle, void* work, std::size_t& bytes, cudaStream_t on, T* x, index_t n, A alpha) {
    call_or_size<false>(handle, work, bytes, on, mode_of<A>, "cublas<t>scal", [&](cublasHandle_t cublas) {
        const library_factor<T, false> factor(alpha, nullptr, on);
        return cublas_scal<T>(cublas, n, factor.get(), x, 1);
    });
}
template <class H, class T>
void enqueue_call(dot, H handle, void* work, std::size_t& bytes, cudaStream_t on, T* result, const T* x, index_t n, const T* y, index_t m) {
    need_two_of_one_length("dot", n, m);
    call_or_size<false>(handle, work, bytes, on, CUBLAS_POINTER_MODE_DEVICE, "cublas<t>dot",
                        [&](cublasHandle_t cublas) { return cublas_dot<T>(cublas, n, x, 1, y, 1, result); });
}
template <class H, class T>
void enqueue_call(nrm2, H handle, void* work, std::size_t& bytes, cudaStream_t on, T* result, const T* x, index_t n) {
    call_or_size<false>(handle, work, bytes, on, CUBLAS_POINTER_MODE_DEVICE, "cublas<t>nrm2",
                        [&](cublasHandle_t cublas) { return cublas_nrm2<T>(cublas, n, x, 1, result); });
}

// cuBLAS has its matrices stored column by column: it sees each of ours transposed, and multiplies in the other order.
inline cublasOperation_t as_stored(bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }

template <bool Transposed, class H, class T, class A, class B>
void enqueue_call(gemv<Transposed>, H handle, void* work, std::size_t& bytes, cudaStream_t on, T* y, index_t m, const T* matrix, index_t elements, const T* x,
                  index_t n, A alpha, B beta) {
    need_matrix("gemv", m, elements, n);
    call_or_size<false>(handle, work, bytes, on, mode_of<A, B>, "cublas<t>gemv", [&](cublasHandle_t cublas) {
        T* const numbers = static_cast<T*>(work);
        const library_factor<T, any_on_device<A, B>> factor(alpha, numbers, on), old(beta, numbers + 1, on);
        const index_t rows = Transposed ? n : m, columns = Transposed ? m : n;
        return cublas_gemv<T>(cublas, as_stored(!Transposed), columns, rows, factor.get(), matrix, columns > 0 ? columns : 1, x, 1, old.get(), y, 1);
    });
}
template <bool First, bool Second, class T>
cublasStatus_t multiply(cublasHandle_t cublas, const product_sides& s, const T* alpha, const T* a, const T* b, const T* beta, T* c, index_t count) {
    const index_t a_row = First ? s.rows : s.inner, b_row = Second ? s.inner : s.columns;
    const auto stride = [](index_t row) { return row > 0 ? row : 1; };
    if (count == 1)
        return cublas_gemm<T>(cublas, as_stored(Second), as_stored(First), s.columns, s.rows, s.inner, alpha, b, stride(b_row), a, stride(a_row), beta, c,
                              stride(s.columns));
    return cublas_batched_gemm<T>(cublas, as_stored(Second), as_stored(First), s.columns, s.rows, s.inner, alpha, b, stride(b_row), s.inner * s.columns, a,
                                  stride(a_row), s.rows * s.inner, beta, c, stride(s.columns), s.rows * s.columns, count);
}
template <bool First, bool Second, class H, class T, class A, class B>
void enqueue_call(batched_gemm<First, Second>, H handle, void* work, std::size_t& bytes, cudaStream_t on, T* c, index_t c_size, const T* a, index_t a_size,
                  const T* b, index_t b_size, index_t count, A alpha, B beta) {
    need_batch(count, c_size, a_size, b_size);
    const product_sides sides = sides_of_product("gemm", c_size / count, a_size / count, b_size / count);
    call_or_size<true>(handle, work, bytes, on, mode_of<A, B>, "cublas<t>gemm", [&](cublasHandle_t cublas) {
        T* const numbers = static_cast<T*>(work);
        const library_factor<T, any_on_device<A, B>> factor(alpha, numbers, on), old(beta, numbers + 1, on);
        return multiply<First, Second>(cublas, sides, factor.get(), a, b, old.get(), c, count);
    });
}
template <bool First, bool Second, class H, class T, class A, class B>
void enqueue_call(gemm<First, Second>, H handle, void* work, std::size_t& bytes, cudaStream_t on, T* c, index_t c_size, const T* a, index_t a_size, const T* b,
                  index_t b_size, A alpha, B beta) {
    enqueue_call(batched_gemm<First, Second>{}, handle, work, bytes, on, c, c_size, a, a_size, b, b_size, index_t{1}, alpha, beta);
}
template <half Half, bool Unit, bool Transposed, class H, class T>
void enqueue_call(trsv<Half, Unit, Transposed>, H handle, void* work, std::size_t& bytes, cudaStream_t on, T* x, index_t n, const T* matrix, index_t elements) {
    need_matrix("trsv", n, elements, n);
    call_or_size<false>(handle, work, bytes, on, CUBLAS_POINTER_MODE_HOST, "cublas<t>trsv", [&](cublasHandle_t cublas) {
        return cublas_trsv<T>(cublas, (Half == half::lower) == Transposed ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER, as_stored(!Transposed),
                              Unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, matrix, n > 0 ? n : 1, x, 1);
    });
}

}  // namespace cograph::core::blas_routine
