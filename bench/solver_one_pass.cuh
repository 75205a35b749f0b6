// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver.cuh"

// Conjugate gradients with one pass over the vectors an iteration, after Chronopoulos and Gear (1989): the sums that both
// steps need are taken at once, so that an iteration waits once for all of the grid.
namespace solver {

// r'r and r'Ar.
struct dots {
    double rr, rAr;
};
struct add_dots {
    COGRAPH_HD dots operator()(dots a, dots b) const { return {a.rr + b.rr, a.rAr + b.rAr}; }
};

// p = r + beta p and x += alpha p. r -= alpha A r + gamma (r before - r), because A p = A r + beta A p before, and A p before is a
// difference of two r. `slope` is 1 / alpha, divided beside it.
struct step {
    double alpha, beta, gamma, slope;
};

// What of it the next pass needs. A step p'Ap = r'Ar - beta^2 (p'Ap before) saves the third sum.
struct next_step {
    COGRAPH_HD void operator()(const dots& sums, double& rr, double& pAp, step& now, int& it) const {
        now.beta = sums.rr / rr;
        pAp = sums.rAr - now.beta * now.beta * pAp;
        now.alpha = sums.rr / pAp;
        now.gamma = now.alpha * (now.beta * now.slope);
        now.slope = pAp / sums.rr;
        rr = sums.rr;
        ++it;
    }
};
struct first_step {
    COGRAPH_HD void operator()(const dots& sums, double& rr, double& pAp, step& now) const {
        rr = sums.rr;
        pAp = sums.rAr;
        now = {rr / pAp, 0, 0, pAp / rr};
    }
};
// Copies r to where the passes begin.
struct first_dots {
    COGRAPH_HD dots operator()(index_t i, five_points const& A, const double* r, double* residuals) const {
        double own[five_points::rows_of_strip], product[five_points::rows_of_strip];
        const int strip = static_cast<int>(i);
        A.multiply(
            strip, [&](int at) { return r[at]; }, own, product);
        dots sums{};
        for (int k = 0; k < five_points::rows_of_strip; ++k) {
            residuals[A.row(strip, k)] = own[k];
            sums = add_dots{}(sums, {own[k] * own[k], own[k] * product[k]});
        }
        return sums;
    }
};

// The next r from the last two, in a strip and, without keeping it, around it, where A r is needed next. There are four vectors r, by
// turns. p and x are made up for in every fourth pass, four steps at once. Every second pass goes backwards: it begins with what the last
// one has just left in the cache.
struct whole_step {
    static constexpr int lanes = 1, kept = 4;

    COGRAPH_HD dots operator()(index_t i, five_points const& A, const int& it, const step& now, step* steps,
                               double* residuals, double* p, double* x) const {
        constexpr int rows = five_points::rows_of_strip;
        const unsigned turn = static_cast<unsigned>(it) % kept;
        const bool odd = turn % 2 != 0, fourth = turn == kept - 1;
        const double* const r = residuals + static_cast<int>(turn) * A.rows;
        const double* const before = now.beta == 0 ? r : residuals + static_cast<int>((turn + kept - 1) % kept) * A.rows;  // the first r has none
        double* const next_r = residuals + static_cast<int>((turn + 1) % kept) * A.rows;
        const double alpha = now.alpha, beta = now.beta, gamma = now.gamma;
        const int m = 1 << A.shift, strip = odd ? A.strips() - 1 - static_cast<int>(i) : static_cast<int>(i);
        const int column = strip & (m - 1), top = A.row(strip, 0);
        const bool above = top >= m, below = top + rows * m < A.rows;
        // The element k rows below the strip's first and some columns to the right of it.
        const auto of = [&](const double* v, int k, int right) {
            const bool inside =
                (k >= 0 || above) && (k < rows || below) && column + right >= 0 && column + right < m;
            return inside ? v[top + k * m + right] : 0.0;
        };
        double own[rows + 4], side[2][rows + 2], far[2][rows], own_before[rows + 2], side_before[2][rows];
        for (int k = -2; k < rows + 2; ++k) own[k + 2] = of(r, k, 0);
        for (int k = -1; k < rows + 1; ++k) own_before[k + 1] = of(before, k, 0);
        for (int left = 0; left < 2; ++left) {
            const int right = left ? -1 : 1;
            for (int k = -1; k < rows + 1; ++k) side[left][k + 1] = of(r, k, right);
            for (int k = 0; k < rows; ++k) far[left][k] = of(r, k, 2 * right);
            for (int k = 0; k < rows; ++k) side_before[left][k] = of(before, k, right);
        }
        double new_r[rows + 2];
        for (int k = -1; k < rows + 1; ++k) {
            const double Ar = 4 * own[k + 2] - (own[k + 1] + own[k + 3]) - (side[0][k + 1] + side[1][k + 1]);
            const bool inside = (k >= 0 || above) && (k < rows || below);
            new_r[k + 1] = inside ? own[k + 2] - alpha * Ar - gamma * (own_before[k + 1] - own[k + 2]) : 0;
        }
        dots sums{};
        for (int k = 0; k < rows; ++k) {
            double around = new_r[k] + new_r[k + 2];
            for (int left = 0; left < 2; ++left) {
                const double Ar =
                    4 * side[left][k + 1] - (side[left][k] + side[left][k + 2]) - (far[left][k] + own[k + 2]);
                const bool inside = left ? column > 0 : column < m - 1;
                if (inside) around += side[left][k + 1] - alpha * Ar - gamma * (side_before[left][k] - side[left][k + 1]);
            }
            sums =
                add_dots{}(sums, {new_r[k + 1] * new_r[k + 1], new_r[k + 1] * (4 * new_r[k + 1] - around)});
        }
        if (!fourth) {
            if (i == 0) steps[turn] = now;
            for (int k = 0; k < rows; ++k) next_r[top + k * m] = new_r[k + 1];
            return sums;
        }
        const step third_last = steps[0], second_last = steps[1], last = steps[2];
        double moved_p[rows], moved_x[rows];
        for (int k = 0; k < rows; ++k) {
            const int at = top + k * m;
            const double third = residuals[at] + third_last.beta * p[at],
                         second = residuals[A.rows + at] + second_last.beta * third,
                         first = own_before[k + 1] + last.beta * second;
            moved_p[k] = own[k + 2] + beta * first;
            moved_x[k] = x[at] + third_last.alpha * third + second_last.alpha * second + last.alpha * first +
                         alpha * moved_p[k];
        }
        for (int k = 0; k < rows; ++k) {
            p[top + k * m] = moved_p[k];
            x[top + k * m] = moved_x[k];
            next_r[top + k * m] = new_r[k + 1];
        }
        return sums;
    }
};

// What x still gains when a loop of Step has ended.
template <class Step>
struct arrive_behind {
    COGRAPH_HD void operator()(index_t i, const int& it, const step* steps, const double* residuals, const double& p,
                               double& x, index_t rows) const {
        double direction = p;
        for (int k = 0; k < it % Step::kept; ++k) {
            direction = residuals[k * rows + i] + steps[k].beta * direction;
            x += steps[k].alpha * direction;
        }
    }
};

}  // namespace solver
