// SPDX-License-Identifier: Apache-2.0

// Conjugate gradients by cuBLAS and cuSPARSE: their calls are nodes of a loop, and of a branch in it, and the loop stays on
// the device. Solves a Poisson problem whose solution is known. Without nvcc their host implementations are simulated.

#include "../anywhere.hpp"

#ifdef __CUDACC__
#include <cograph/blas.cuh>
#include <cograph/sparse.cuh>
#else
#include <cograph/libraries/blas/blas.hpp>
#include <cograph/libraries/sparse.hpp>
#endif

#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

using namespace cograph;

// [solver]
inline constexpr struct A : view<A, sparse::csr_view<double>> {} A;
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
inline constexpr struct iterations : scalar<iterations, int> {} iterations;
inline constexpr struct tolerance : value<tolerance, double> {} tolerance;

auto conjugate_gradients() {
    const auto residual = seq(copy(in(b), out(r)), sparse::spmv(inout(r), in(A), in(x), -1, 1));
    const auto begin = seq(assign(iterations, 0), residual, copy(in(r), out(p)), blas::dot(out(rr), in(r), in(r)));
    const auto iteration = seq(sparse::spmv(out(Ap), in(A), in(p)),
                          blas::dot(out(pAp), in(p), in(Ap)),
                          assign(step, rr / pAp), assign(back, 0 - step),
                          blas::axpy(inout(x), in(p), in(step)),
                          when(iterations % 50 == 49, residual,  // rounding has piled up: start again
                               otherwise(blas::axpy(inout(r), in(Ap), in(back)))),
                          blas::dot(out(new_rr), in(r), in(r)),
                          assign(back, new_rr / rr), assign(rr, new_rr),
                          blas::scal(inout(p), in(back)),
                          blas::axpy(inout(p), in(r)),  // p = r + back * p
                          assign(iterations, iterations + 1));
    return seq(begin, loop_while(rr > tolerance && iterations < 2000, iteration));
}
// [/solver]

// The five-point stencil on a square.
struct poisson {
    std::vector<int> rows{0}, columns;
    std::vector<double> entries;

    std::size_t size() const { return rows.size() - 1; }
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
    const index_t n = side * side;
    const poisson problem(side);
    const auto rows = copy_of(problem.rows);
    const auto columns = copy_of(problem.columns);
    const auto entries = copy_of(problem.entries);
    const sparse::csr_view<double> matrix{rows.data(), columns.data(), entries.data(), n, n, static_cast<index_t>(entries.size())};
    const anywhere::array<double> wanted(problem.size()), right(problem.size()), solution(problem.size());
    const anywhere::array<int> count(1);
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = std::sin(static_cast<double>(i));
    simulate(sparse::spmv(out(b), in(A), in(x)), b(right.span()), A(matrix), x(wanted.span()));

    anywhere::run(conjugate_gradients(), A(matrix), x(solution.span()), b(right.span()), tolerance(1e-20), iterations(count.data()));

    double error = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) error = std::fmax(error, std::fabs(solution[i] - wanted[i]));
    std::printf("%s: %d iterations, error %.1e\n", anywhere::way_to_run(), count[0], error);
    return error < 1e-8 && count[0] > 50 && count[0] < 2000 ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "library_solver: %s\n", problem.what());
    return 1;
}
