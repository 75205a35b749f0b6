// SPDX-License-Identifier: Apache-2.0
#pragma once

// Expressions of libraries' calls and what they compute, for the host and for GPUs. All numbers are whole and small where results are
// compared bit by bit.

#ifdef __CUDACC__
#include <cograph/blas.cuh>
#include <cograph/fft.cuh>
#include <cograph/sparse.cuh>
#else
#include <cograph.hpp>
#include <cograph/libraries/blas/blas.hpp>
#include <cograph/libraries/fft.hpp>
#include <cograph/libraries/sparse.hpp>
#endif

#include <complex>
#include <vector>

namespace library_programs {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct z : buffer<z, double> {} z;
inline constexpr struct A : buffer<A, double> {} A;
inline constexpr struct B : buffer<B, double> {} B;
inline constexpr struct C : buffer<C, double> {} C;
inline constexpr struct M : view<M, sparse::csr_view<double>> {} M;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct t : scalar<t, double> {} t;
inline constexpr struct by : value<by, float> {} by;
inline constexpr struct rounds : scalar<rounds, int> {} rounds;

inline std::vector<double> whole_numbers(std::size_t n, int seed) {
    std::vector<double> made(n);
    for (std::size_t i = 0; i < n; ++i) made[i] = static_cast<double>((static_cast<int>(i) * 7 + seed) % 9 - 4);
    return made;
}

// Vectors and matrices: A has 3 rows and 2 columns, x 2 elements, y and z 3.
inline auto of_matrices() {
    return seq(blas::gemv(out(y), in(A), in(x)),                                      // A x
               blas::dot(out(s), in(y), in(y)),
               blas::gemv(inout(y), in(A), in(x), in(s), 2),                          // s A x + 2 y, s on the device
               blas::gemv(inout(x), blas::transposed(in(A)), in(y), by, 1 - by),      // numbers of the host
               blas::axpy(inout(z), in(y), in(s)), blas::axpy(inout(z), in(y)), blas::scal(inout(z), 3),
               blas::nrm2(out(t), in(x)));
}
// C (3 x 4) = A (3 x 2) B (2 x 4) in all four ways, added up.
inline auto of_products() {
    return seq(blas::gemm(out(C), in(A), in(B)), blas::gemm(inout(C), blas::transposed(in(A)), in(B), 2, 1),
               blas::gemm(inout(C), in(A), blas::transposed(in(B)), -1, 3), blas::gemm(inout(C), blas::transposed(in(A)), blas::transposed(in(B)), by, 1));
}
// In loops: a triangle of ones on its diagonal, and a product that follows it.
inline auto in_a_loop() {
    return seq(assign(rounds, 0), loop_while(rounds < 3, seq(blas::trsv(inout(x), in(A), blas::unit_lower), blas::trsv(inout(x), blas::transposed(in(A)), blas::upper),
                                                             blas::gemv(out(y), in(A), in(x)), copy(in(y), out(x)), assign(rounds, rounds + 1))));
}
inline auto of_sparse() {
    return seq(assign(rounds, 0), loop_while(rounds < 2, seq(sparse::spmv(out(y), in(M), in(x)), sparse::spmv(inout(y), in(M), in(x), in(s), 1),
                                                             sparse::solve(inout(y), in(M), sparse::unit_lower), copy(in(y), out(x)),
                                                             sparse::solve(inout(x), in(M), sparse::unit_upper), assign(rounds, rounds + 1))),
               sparse::spmm(out(C), in(M), in(B)), sparse::spmm(inout(C), in(M), in(B), 2, -1));
}

}  // namespace library_programs
