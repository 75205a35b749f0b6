// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "csr.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sparse {

/// A x = b with b = A times ones, so that the solution is known.
struct problem {
    csr_matrix A;
    std::vector<double> b;
};

struct limits {
    double tolerance;  // of ||b - A x|| / ||b||
    int max_iterations;
};

/// Where a solver stopped.
struct solution {
    std::vector<double> x;
    int iterations = 0;
    double rr = 0;   // r'r of the last residual
    double pAp = 1;  // p'Ap of the last direction; where A is positive definite, so is this
    double seconds = 0;
};

/// What a solution is worth, computed anew from x.
struct accuracy {
    double relative_residual;
    double largest_error;
};

class not_positive_definite : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class not_converged : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(clock::now() - start_).count(); }

private:
    using clock = std::chrono::steady_clock;
    clock::time_point start_ = clock::now();
};

inline std::string to_text(double number) {
    char text[32];
    return std::string(text,
                       std::to_chars(text, text + sizeof text, number, std::chars_format::general, 4).ptr);
}

/// Throws not_positive_definite where a glance at the matrix tells.
inline void check_matrix(const csr_view& A) {
    if (const auto place = find_asymmetry(A))
        throw not_positive_definite("the matrix is not symmetric: entry (" +
                                    std::to_string(place->first + 1) + ", " +
                                    std::to_string(place->second + 1) + ") differs from its mirror image");
    if (const auto row = find_nonpositive_diagonal(A))
        throw not_positive_definite("the matrix is not positive definite: the diagonal entry of row " +
                                    std::to_string(*row + 1) + " is " + to_text(entry(A, *row, *row)));
}

/// Throws not_positive_definite where check_matrix() does, or where numbers would leave the range of double.
inline problem make_problem(csr_matrix A) {
    check_matrix(A.view());
    const std::vector<double> ones(static_cast<std::size_t>(A.rows), 1.0);
    std::vector<double> b(ones.size());
    multiply(A.view(), ones, b);
    const bool zero = std::all_of(b.begin(), b.end(), [](double v) { return v == 0; });
    if (!zero && !std::isnormal(dot_product(b, b)))
        throw not_positive_definite(
            "the matrix cannot be used: its numbers, squared, leave the range of double; scale it");
    return {std::move(A), std::move(b)};
}

inline accuracy measure(const problem& given, const solution& found) {
    double largest_error = 0;
    for (const double x : found.x) largest_error = std::max(largest_error, std::abs(x - 1));
    return {relative_residual(given.A.view(), found.x, given.b), largest_error};
}

/// Throws unless the solution is within the tolerance.
inline void verify(const limits& limit, const solution& found, const accuracy& measured) {
    const std::string where = " (iteration " + std::to_string(found.iterations) + ")";
    if (found.pAp <= 0)
        throw not_positive_definite("the matrix is not positive definite: p'Ap is " + to_text(found.pAp) +
                                    where);
    if (!std::isfinite(found.rr) || !std::isfinite(found.pAp))
        throw not_converged("not converged: the numbers left the range of double" + where);
    const double rounding = 1.01;  // the solver adds in another order than relative_residual()
    if (!(measured.relative_residual <= rounding * limit.tolerance))
        throw not_converged("not converged: the relative residual is " + to_text(measured.relative_residual) +
                            ", not " + to_text(limit.tolerance) + where +
                            "; allow more iterations or a larger tolerance");
}

}  // namespace sparse
