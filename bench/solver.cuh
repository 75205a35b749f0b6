// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>

// Systems of equations for conjugate gradients, and what an iteration does to a strip of rows, for every way
// to run it.
namespace solver {

using cograph::index_t;

// A matrix in compressed rows. Strips are single rows.
struct csr {
    static constexpr int rows_of_strip = 1;
    int rows;
    int* row_begin;
    int* column;
    double* value;

    COGRAPH_HD int strips() const { return rows; }
    COGRAPH_HD int row(int strip, int) const { return strip; }

    // own = v in the strip's rows, product = A v there; v gives an element of a vector.
    template <class V>
    COGRAPH_HD void multiply(int strip, V const& v, double (&own)[1], double (&product)[1]) const {
        const int end = row_begin[strip + 1];
        double sum = 0;
        for (int k = row_begin[strip]; k < end; ++k) sum += value[k] * v(column[k]);
        own[0] = v(strip);
        product[0] = sum;
    }
};

// The five-point Laplacian on a square of 2^shift by 2^shift with zeros around it. A strip is four points of
// the square, one below the other.
struct five_points {
    static constexpr int rows_of_strip = 4;
    int rows, shift;

    explicit five_points(int with_shift) : rows(1 << (2 * with_shift)), shift(with_shift) {}
    COGRAPH_HD int strips() const { return rows / rows_of_strip; }
    COGRAPH_HD int row(int strip, int k) const {
        const int m = 1 << shift;
        return ((strip >> shift) * rows_of_strip + k) * m + (strip & (m - 1));
    }
    template <class V>
    COGRAPH_HD void multiply(int strip, V const& v, double (&own)[4], double (&product)[4]) const {
        const int m = 1 << shift, column = strip & (m - 1), top = row(strip, 0),
                  below = top + rows_of_strip * m;
        double line[rows_of_strip + 2];
        line[0] = top >= m ? v(top - m) : 0;
        for (int k = 0; k < rows_of_strip; ++k) line[k + 1] = v(top + k * m);
        line[rows_of_strip + 1] = below < rows ? v(below) : 0;
        for (int k = 0; k < rows_of_strip; ++k) {
            const double left = column > 0 ? v(top + k * m - 1) : 0,
                         right = column < m - 1 ? v(top + k * m + 1) : 0;
            own[k] = line[k + 1];
            product[k] = 4 * line[k + 1] - (line[k] + line[k + 2]) - (left + right);
        }
    }
};

// Two passes over the vectors an iteration, not three: the next direction, r + beta p, is made where it is
// used. Directions are in p and q by turns, and what x gains along one, alpha p, is added an iteration later.
template <class T>
COGRAPH_HD T* direction_before(int it, T* p, T* q) {
    return it % 2 == 0 ? p : q;
}
template <class T>
COGRAPH_HD T* direction_of(int it, T* p, T* q) {
    return it % 2 == 0 ? q : p;
}

// The next direction; gives the strip's share of p'Ap. Keeps Ap where it is dear.
template <bool Keeps>
struct turn {
    template <class Matrix>
    COGRAPH_HD double operator()(index_t i, Matrix const& A, const int& it, const double& alpha,
                                 const double& beta, const double* r, double* x, double* p, double* q,
                                 double* Ap) const {
        constexpr int rows = Matrix::rows_of_strip;
        const int strip = static_cast<int>(i);
        const double* const before = direction_before(it, p, q);
        double* const next = direction_of(it, p, q);
        double own[rows], product[rows], moved[rows], sum = 0;
        A.multiply(strip, [&](int at) { return r[at] + beta * before[at]; }, own, product);
        for (int k = 0; k < rows; ++k) moved[k] = x[A.row(strip, k)] + alpha * before[A.row(strip, k)];
        for (int k = 0; k < rows; ++k) {
            next[A.row(strip, k)] = own[k];
            x[A.row(strip, k)] = moved[k];
            if constexpr (Keeps) Ap[A.row(strip, k)] = product[k];
            sum += own[k] * product[k];
        }
        return sum;
    }
};

// r -= alpha Ap; gives the strip's share of r'r. Goes backwards, so that it begins with what turn has just left
// in the cache.
template <bool Kept>
struct descend {
    template <class Matrix>
    COGRAPH_HD double operator()(index_t i, Matrix const& A, const int& it, const double& alpha,
                                 const double* p, const double* q, const double* Ap, double* r) const {
        constexpr int rows = Matrix::rows_of_strip;
        const int strip = A.strips() - 1 - static_cast<int>(i);
        const double* const direction = direction_of(it, p, q);
        double own[rows], product[rows], sum = 0;
        if constexpr (Kept)
            for (int k = 0; k < rows; ++k) product[k] = Ap[A.row(strip, k)];
        else
            A.multiply(strip, [&](int at) { return direction[at]; }, own, product);
        for (int k = 0; k < rows; ++k) own[k] = r[A.row(strip, k)] - alpha * product[k];
        for (int k = 0; k < rows; ++k) {
            r[A.row(strip, k)] = own[k];
            sum += own[k] * own[k];
        }
        return sum;
    }
};

// What x still gains when the loop has ended.
struct arrive {
    COGRAPH_HD void operator()(index_t, const int& it, const double& alpha, const double& p, const double& q,
                               double& x) const {
        x += alpha * (it % 2 == 0 ? p : q);
    }
};

// Three passes, as in textbooks.
struct multiply_row {
    COGRAPH_HD void operator()(index_t i, csr const& A, const double* p, double& Ap) const {
        double own[1], product[1];
        A.multiply(static_cast<int>(i), [&](int at) { return p[at]; }, own, product);
        Ap = product[0];
    }
};
struct step_down {
    COGRAPH_HD void operator()(index_t, const double& alpha, const double& Ap, double& r) const {
        r -= alpha * Ap;
    }
};
struct step_on {
    COGRAPH_HD void operator()(index_t, const double& alpha, const double& beta, const double& r, double& x,
                               double& p) const {
        x += alpha * p;
        p = r + beta * p;
    }
};

}  // namespace solver
