// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace multigrid {

using cograph::index_t;

/// A point of a square grid of n by n points, n = 2^k, row by row. Row 0 and column 0 are the border, as are the row and the column after
/// the last: the solution is zero there.
struct point {
    int n, row, column;

    COGRAPH_HD point(index_t i, int k) : n(1 << k), row(static_cast<int>(i) >> k), column(static_cast<int>(i) & (n - 1)) {}
    COGRAPH_HD bool is_border() const { return row == 0 || column == 0; }
};

/// The value at a point; zero on the border and outside.
COGRAPH_HD inline double value_at(const double* u, int n, int row, int column) {
    return row > 0 && column > 0 && row < n && column < n ? u[row * n + column] : 0;
}

/// The right side of a grid is kept as h^2 f, and residuals are h^2 (f + Laplacian of u): no grid needs its h.
struct scale {
    COGRAPH_HD void operator()(index_t, double f, double& scaled, int k) const { scaled = f / (static_cast<double>(1 << k) * (1 << k)); }
};
struct square {
    COGRAPH_HD double operator()(index_t, double value) const { return value * value; }
};

/// Damped Jacobi takes this part of the step to the mean of the neighbours. 4/5 smooths best in two dimensions (Trottenberg,
/// Oosterlee and Schüller, Multigrid, section 2.1).
inline constexpr double damping = 0.8;

/// One sweep of damped Jacobi over a point; gives the square of the residual before it.
struct smooth {
    COGRAPH_HD double operator()(index_t i, const double* from, double f, double& to, int k) const {
        const point at(i, k);
        const double here = from[i];
        const double residual = at.is_border() ? 0
                                               : f + value_at(from, at.n, at.row - 1, at.column) + value_at(from, at.n, at.row, at.column - 1) +
                                                     value_at(from, at.n, at.row, at.column + 1) + value_at(from, at.n, at.row + 1, at.column) - 4 * here;
        to = here + damping / 4 * residual;
        return residual * residual;
    }
};
struct smooth_only {
    COGRAPH_HD void operator()(index_t i, const double* from, double f, double& to, int k) const { smooth{}(i, from, f, to, k); }
};

/// The residual of the finer grid becomes the right side of this one, by full weighting, and one sweep from zero its first
/// correction. Of the finer grid, three rows are at hand at a time.
struct restrict_residual {
    COGRAPH_HD void operator()(index_t i, const double* fine, const double* fine_f, double& f, double& u, int k) const {
        const point at(i, k);
        double sum = 0;
        if (!at.is_border()) {
            const int m = 2 * at.n, row = 2 * at.row, column = 2 * at.column;
            double above[5], here[5], below[5];
            for (int c = 0; c < 5; ++c) above[c] = value_at(fine, m, row - 2, column + c - 2);
            for (int c = 0; c < 5; ++c) here[c] = value_at(fine, m, row - 1, column + c - 2);
            for (int down = -1; down <= 1; ++down) {
                for (int c = 0; c < 5; ++c) below[c] = value_at(fine, m, row + down + 1, column + c - 2);
                double of_row = 0;
                for (int c = 1; c < 4; ++c) {
                    const double residual = fine_f[(row + down) * m + column + c - 2] + above[c] + here[c - 1] + here[c + 1] + below[c] - 4 * here[c];
                    of_row += c == 2 ? 2 * residual : residual;
                }
                sum += down == 0 ? 2 * of_row : of_row;
                for (int c = 0; c < 5; ++c) {
                    above[c] = here[c];
                    here[c] = below[c];
                }
            }
        }
        f = sum / 4;  // 1/16 of the sum, and h^2 is four times as large
        u = damping / 4 * f;
    }
};

/// Values of three coarse points in a line, interpolated at a fine point and those beside it. The first coarse point lies one fine point
/// before the fine one where that is odd, else two.
struct along {
    double before, here, after;

    COGRAPH_HD along(bool odd, double a, double b, double c)
        : before(odd ? a : (a + b) / 2), here(odd ? (a + b) / 2 : b), after(odd ? b : (b + c) / 2) {}
};

/// Adds the correction of the coarser grid, bilinear between its points, and makes one sweep of damped Jacobi over the sum.
struct correct_and_smooth {
    COGRAPH_HD void operator()(index_t i, const double* from, const double* coarse, double f, double& to, int k) const {
        const point at(i, k);
        if (at.is_border()) {
            to = 0;
            return;
        }
        const int n = at.n, m = n / 2;
        const bool odd_row = at.row % 2, odd_column = at.column % 2;
        const int r = (at.row - 1) / 2, c = (at.column - 1) / 2;
        const auto coarse_row = [&](int down) {
            return along(odd_column, value_at(coarse, m, r + down, c), value_at(coarse, m, r + down, c + 1), value_at(coarse, m, r + down, c + 2));
        };
        const along first = coarse_row(0), second = coarse_row(1), third = coarse_row(2);
        const along up_and_down(odd_row, first.here, second.here, third.here);
        const double left = along(odd_row, first.before, second.before, third.before).here;
        const double right = along(odd_row, first.after, second.after, third.after).here;
        const double here = from[i] + up_and_down.here;
        const double neighbours = value_at(from, n, at.row - 1, at.column) + up_and_down.before + value_at(from, n, at.row, at.column - 1) + left +
                                  value_at(from, n, at.row, at.column + 1) + right + value_at(from, n, at.row + 1, at.column) + up_and_down.after;
        to = here + damping / 4 * (f + neighbours - 4 * here);
    }
};

}  // namespace multigrid
