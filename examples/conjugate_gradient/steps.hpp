// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "csr.hpp"

#include <cograph.hpp>

namespace sparse {

// What one iteration does to element i, written once for every way to run it. A pointer is a whole vector, a reference
// its element i.

/// Unrolled so far, and by ptxas no further: most rows are short.
COGRAPH_HD inline double row_times(const csr_view& A, cograph::index_t i, const double* x) {
    double sum = 0;
#ifdef __CUDA_ARCH__
#pragma unroll 4
#endif
    for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k) sum += A.value[k] * x[A.column[k]];
    return sum;
}

/// The same for what runs rarely. Unrolled, this loop would make the solver's kernels longer, and those of many rows slower.
COGRAPH_HD inline double row_times_rolled(const csr_view& A, cograph::index_t i, const double* x) {
    double sum = 0;
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
    for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k) sum += A.value[k] * x[A.column[k]];
    return sum;
}

/// y = A x
struct spmv {
    COGRAPH_HD void operator()(cograph::index_t i, const csr_view& A, const double* x, double& y) const {
        y = row_times(A, i, x);
    }
};

/// r = b - A x
struct residual {
    COGRAPH_HD void operator()(cograph::index_t i, const csr_view& A, const double* x, const double& b,
                               double& r) const {
        r = b - row_times_rolled(A, i, x);
    }
};

/// The Jacobi preconditioner: one over the diagonal of A.
struct invert_diagonal {
    COGRAPH_HD void operator()(cograph::index_t i, const csr_view& A, double& inverse) const {
        for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k)
            if (A.column[k] == i) inverse = 1 / A.value[k];
    }
};

/// z = inverse * r
struct precondition {
    COGRAPH_HD void operator()(cograph::index_t, const double& inverse, const double& r, double& z) const {
        z = inverse * r;
    }
};

/// A step of length alpha along p: x += alpha p, r -= alpha A p.
struct take_step {
    COGRAPH_HD void operator()(cograph::index_t, const double& alpha, const double& p, const double& Ap, double& x,
                               double& r) const {
        x += alpha * p;
        r -= alpha * Ap;
    }
};

/// The next direction: p = z + beta p.
struct next_direction {
    COGRAPH_HD void operator()(cograph::index_t, const double& beta, const double& z, double& p) const {
        p = z + beta * p;
    }
};

}  // namespace sparse
