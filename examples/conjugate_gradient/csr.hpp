// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace sparse {

/// A square matrix in compressed sparse rows, borrowed. The entries of row i are row_begin[i] and on, up to
/// row_begin[i + 1], sorted by column. Trivially copyable, so kernels take it by value.
struct csr_view {
    int rows;
    const int* row_begin;
    const int* column;
    const double* value;
};

/// The same, owned by the host.
struct csr_matrix {
    int rows = 0;
    std::vector<int> row_begin = {0};
    std::vector<int> column;
    std::vector<double> value;

    csr_view view() const { return {rows, row_begin.data(), column.data(), value.data()}; }
    std::size_t nonzeros() const { return value.size(); }
};

struct coordinate {
    int row;
    int column;
    double value;
};

/// Sorts entries into compressed rows. Entries given twice are added, in the order given.
inline csr_matrix compress(int rows, std::vector<coordinate> entries) {
    std::stable_sort(entries.begin(), entries.end(), [](const coordinate& a, const coordinate& b) {
        return std::tie(a.row, a.column) < std::tie(b.row, b.column);
    });
    csr_matrix A;
    A.rows = rows;
    A.row_begin.resize(static_cast<std::size_t>(rows) + 1);
    int* const row_end = A.row_begin.data() + 1;
    for (const auto& [row, column, value] : entries) {
        if (row_end[row] > 0 && A.column.back() == column) {
            A.value.back() += value;
        } else {
            A.column.push_back(column);
            A.value.push_back(value);
        }
        row_end[row] = static_cast<int>(A.column.size());
    }
    std::inclusive_scan(A.row_begin.begin(), A.row_begin.end(), A.row_begin.begin(),
                        [](int before, int end) { return std::max(before, end); });
    return A;
}

/// The entry (i, j); zero where the matrix stores nothing.
inline double entry(const csr_view& A, int i, int j) {
    const int* const end = A.column + A.row_begin[i + 1];
    const int* const found = std::lower_bound(A.column + A.row_begin[i], end, j);
    return found != end && *found == j ? A.value[found - A.column] : 0.0;
}

/// The five-point Laplacian on an m by m grid with zero boundary values.
inline csr_matrix poisson(int m) {
    csr_matrix A;
    const auto add = [&](int row, int column, double value) {
        if (row < 0 || column < 0 || row >= m || column >= m) return;
        A.column.push_back(row * m + column);
        A.value.push_back(value);
    };
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < m; ++j) {
            add(i - 1, j, -1);
            add(i, j - 1, -1);
            add(i, j, 4);
            add(i, j + 1, -1);
            add(i + 1, j, -1);
            A.row_begin.push_back(static_cast<int>(A.column.size()));
        }
    }
    A.rows = m * m;
    return A;
}

/// y = A x
inline void multiply(const csr_view& A, std::span<const double> x, std::span<double> y) {
    const double* const from = x.data();
    double* const to = y.data();
    for (int i = 0; i < A.rows; ++i) {
        double sum = 0;
        for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k) sum += A.value[k] * from[A.column[k]];
        to[i] = sum;
    }
}

inline double dot_product(std::span<const double> x, std::span<const double> y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
}

/// ||b - A x|| / ||b||, and zero for b = A x = 0.
inline double relative_residual(const csr_view& A, std::span<const double> x, std::span<const double> b) {
    std::vector<double> r(b.size());
    multiply(A, x, r);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
    const double rr = dot_product(r, r);
    return rr == 0 ? 0 : std::sqrt(rr / dot_product(b, b));
}

/// The first row and column where the matrix differs from its transpose by more than rounding.
inline std::optional<std::pair<int, int>> find_asymmetry(const csr_view& A) {
    for (int i = 0; i < A.rows; ++i) {
        for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k) {
            const double here = A.value[k];
            const double there = entry(A, A.column[k], i);
            if (std::abs(here - there) > 1e-12 * std::abs(here)) return std::pair(i, A.column[k]);
        }
    }
    return std::nullopt;
}

/// The first row whose diagonal entry is missing, zero or negative.
inline std::optional<int> find_nonpositive_diagonal(const csr_view& A) {
    for (int i = 0; i < A.rows; ++i)
        if (!(entry(A, i, i) > 0)) return i;
    return std::nullopt;
}

}  // namespace sparse
