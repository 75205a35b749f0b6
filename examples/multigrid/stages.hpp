// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace multigrid {

using cograph::index_t;

/// A square grid of 2^k by 2^k points, row by row. Row 0 and column 0 are the border, as are the row and the column beyond the
/// last: the solution is zero there.
struct grid {
    int n, row, column;

    COGRAPH_HD grid(index_t i, int size) : n(size), row(static_cast<int>(i) / size), column(static_cast<int>(i) % size) {}
    COGRAPH_HD bool is_border() const { return row == 0 || column == 0; }
};

/// The value at a point; zero on the border and outside.
COGRAPH_HD inline double value_at(const double* u, int n, int row, int column) {
    return row > 0 && column > 0 && row < n && column < n ? u[row * n + column] : 0;
}

/// h^2 (f + Laplacian of u) at a point that is not on the border.
COGRAPH_HD inline double residual_at(const double* u, const double* f, int n, int row, int column) {
    const int i = row * n + column;
    const double h = 1.0 / n;
    return h * h * f[i] + value_at(u, n, row - 1, column) + value_at(u, n, row, column - 1) + value_at(u, n, row, column + 1) +
           value_at(u, n, row + 1, column) - 4 * u[i];
}

/// Damped Jacobi takes this part of the step to the mean of the neighbours. 4/5 smooths best in two dimensions (Trottenberg,
/// Oosterlee and Schüller, Multigrid, section 2.1).
inline constexpr double damping = 0.8;

/// One sweep of damped Jacobi over a point; gives the square of the residual before it.
struct smooth {
    COGRAPH_HD double operator()(index_t i, const double* from, const double* f, double& to, int n) const {
        const grid at(i, n);
        if (at.is_border()) {
            to = 0;
            return 0;
        }
        const double change = residual_at(from, f, n, at.row, at.column);
        to = from[i] + damping * change / 4;
        const double residual = change * n * n;
        return residual * residual;
    }
};

struct smooth_only {
    COGRAPH_HD void operator()(index_t i, const double* from, const double* f, double& to, int n) const { smooth{}(i, from, f, to, n); }
};

/// The residual of the finer grid becomes the right side of this one, by full weighting, and one sweep from zero its first
/// correction. n is the size of this grid.
struct restrict_residual {
    COGRAPH_HD void operator()(index_t i, const double* fine, const double* fine_f, double& f, double& u, int n) const {
        const grid at(i, n);
        double sum = 0;
        if (!at.is_border()) {
            const int m = 2 * n, row = 2 * at.row, column = 2 * at.column;
            for (int down = -1; down <= 1; ++down)
                for (int right = -1; right <= 1; ++right)
                    sum += residual_at(fine, fine_f, m, row + down, column + right) * (2 - down * down) * (2 - right * right);
            sum *= m * (m / 16.0);
        }
        f = sum;
        u = damping * sum / (4.0 * n * n);
    }
};

/// A correction of the coarser grid at a point of this one: bilinear between four of its points.
COGRAPH_HD inline double interpolated(const double* coarse, int n, int row, int column) {
    const int m = n / 2, r = row / 2, c = column / 2, down = row % 2, right = column % 2;
    return (value_at(coarse, m, r, c) + value_at(coarse, m, r + down, c) + value_at(coarse, m, r, c + right) + value_at(coarse, m, r + down, c + right)) / 4;
}

/// Adds the correction of the coarser grid and makes one sweep of damped Jacobi over the sum.
struct correct_and_smooth {
    COGRAPH_HD void operator()(index_t i, const double* from, const double* coarse, double f, double& to, int n) const {
        const grid at(i, n);
        if (at.is_border()) {
            to = 0;
            return;
        }
        const auto sum = [&](int down, int right) {
            const int row = at.row + down, column = at.column + right;
            return row > 0 && column > 0 && row < n && column < n ? from[row * n + column] + interpolated(coarse, n, row, column) : 0.0;
        };
        const double here = sum(0, 0), h = 1.0 / n;
        to = here + damping * (h * h * f + sum(-1, 0) + sum(0, -1) + sum(0, 1) + sum(1, 0) - 4 * here) / 4;
    }
};

struct square {
    COGRAPH_HD double operator()(index_t, double value) const { return value * value; }
};

}  // namespace multigrid
