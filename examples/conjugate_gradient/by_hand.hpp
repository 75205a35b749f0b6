// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "problem.hpp"

#include <cstddef>
#include <vector>

namespace sparse {

/// The same method as a loop that anyone would write for the host: what the simulation is measured against.
inline solution solve_by_hand(const problem& given, const limits& limit) {
    const csr_view A = given.A.view();
    const std::vector<double>& b = given.b;
    const std::size_t n = b.size();
    solution found{.x = std::vector<double>(n)};
    const stopwatch watch;

    std::vector<double> r(n), z(n), p(n), Ap(n), inverse(n);
    for (std::size_t i = 0; i < n; ++i) inverse[i] = 1 / entry(A, static_cast<int>(i), static_cast<int>(i));

    const double enough = limit.tolerance * limit.tolerance * dot_product(b, b);
    const auto unsolved = [&] {
        return found.rr > enough && found.iterations < limit.max_iterations && found.pAp > 0;
    };
    const auto compute_residual = [&] {
        multiply(A, found.x, Ap);
        for (std::size_t i = 0; i < n; ++i) r[i] = b[i] - Ap[i];
        found.rr = dot_product(r, r);
    };
    const auto precondition = [&] {
        for (std::size_t i = 0; i < n; ++i) z[i] = inverse[i] * r[i];
        return dot_product(r, z);
    };

    compute_residual();
    while (unsolved()) {
        double rz = precondition();
        p = z;
        while (unsolved()) {
            multiply(A, p, Ap);
            found.pAp = dot_product(p, Ap);
            const double alpha = rz / found.pAp;
            for (std::size_t i = 0; i < n; ++i) {
                found.x[i] += alpha * p[i];
                r[i] -= alpha * Ap[i];
            }
            found.rr = dot_product(r, r);
            if (++found.iterations % 50 == 0) compute_residual();
            const double rz_next = precondition();
            const double beta = rz_next / rz;
            rz = rz_next;
            for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + beta * p[i];
        }
        compute_residual();
    }
    found.seconds = watch.seconds();
    return found;
}

}  // namespace sparse
