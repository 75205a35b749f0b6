// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/libraries/blas/blas_matrices.hpp>
#include <cograph/libraries/refused/blas.hpp>

// Calls of BLAS as nodes: their language and their simulation. cograph/blas.cuh implements them with cuBLAS.

struct cublasContext;  // the target of a cublasHandle_t

namespace cograph::core {

// All routines, with a handle of the user's.
template <class Handle>
struct blas_routines {
    axpy_function<Handle> axpy;
    scal_function<Handle> scal;
    dot_function<Handle> dot;
    nrm2_function<Handle> nrm2;
    gemv_function<Handle> gemv;
    gemm_function<Handle> gemm;
    batched_gemm_function<Handle> batched_gemm;
    trsv_function<Handle> trsv;
};

}  // namespace cograph::core

namespace cograph::blas {

// The matrix is stored column by column, or is used transposed.
template <core::memory_input M>
constexpr core::transposed_matrix<M> transposed(M memory) {
    return {memory};
}

inline constexpr core::triangle<core::blas_routine::half::lower, false> lower{};
inline constexpr core::triangle<core::blas_routine::half::upper, false> upper{};
inline constexpr core::triangle<core::blas_routine::half::lower, true> unit_lower{};
inline constexpr core::triangle<core::blas_routine::half::upper, true> unit_upper{};

inline constexpr core::axpy_function<core::handle_of_the_library> axpy{};
inline constexpr core::scal_function<core::handle_of_the_library> scal{};
inline constexpr core::dot_function<core::handle_of_the_library> dot{};
inline constexpr core::nrm2_function<core::handle_of_the_library> nrm2{};
inline constexpr core::gemv_function<core::handle_of_the_library> gemv{};
inline constexpr core::gemm_function<core::handle_of_the_library> gemm{};
inline constexpr core::batched_gemm_function<core::handle_of_the_library> batched_gemm{};
inline constexpr core::trsv_function<core::handle_of_the_library> trsv{};

// The same with a handle of yours, which must outlive the executables: with(handle).gemv(...).
constexpr core::blas_routines<cublasContext*> with(cublasContext* handle) { return {{handle}, {handle}, {handle}, {handle}, {handle}, {handle}, {handle}, {handle}}; }

}  // namespace cograph::blas
