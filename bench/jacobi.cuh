// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lowering.cuh"

// Jacobi's method on a square of doubles whose edges are fixed: every sweep gives the largest change, which
// decides.
namespace jacobi {

using namespace cograph;

inline constexpr struct change : scalar<change, double> {
} change;
inline constexpr struct it : scalar<it, int> {
} it;
inline constexpr struct tolerance : value<tolerance, double> {
} tolerance;
inline constexpr struct max_it : value<max_it, int> {
} max_it;

// Sweeps a strip of Rows elements, one below the other, of a square of 2^shift by 2^shift: from a to b in
// even iterations, back in odd ones. Gives the largest change.
template <int Rows>
struct sweep {
    int shift;

    COGRAPH_HD double operator()(index_t strip, const int& it, double* a, double* b) const {
        const double* const from = it % 2 == 0 ? a : b;
        double* const to = it % 2 == 0 ? b : a;
        const int m = 1 << shift;
        const int column = static_cast<int>(strip) & (m - 1);
        const int first = (static_cast<int>(strip) >> shift) * Rows;
        const double* const top = from + first * m + column;

        double own[Rows + 2], next[Rows];
        own[0] = top[first > 0 ? -m : 0];
        for (int k = 0; k < Rows; ++k) own[k + 1] = top[k * m];
        own[Rows + 1] = top[first + Rows < m ? Rows * m : 0];
        const int left = column > 0, right = column < m - 1;
        for (int k = 0; k < Rows; ++k) {
            const bool inside = left && right && first + k > 0 && first + k < m - 1;
            next[k] =
                inside ? 0.25 * (own[k] + own[k + 2] + top[k * m - left] + top[k * m + right]) : own[k + 1];
        }
        double most = 0;
        for (int k = 0; k < Rows; ++k) {
            to[(first + k) * m + column] = next[k];
            const double changed = next[k] > own[k + 1] ? next[k] - own[k + 1] : own[k + 1] - next[k];
            most = changed > most ? changed : most;
        }
        return most;
    }
};

// By hand: one kernel a sweep, which sets the handle.
struct state {
    double change;
    int it;
};
template <int Rows>
__global__ void __launch_bounds__(256)
    sweep_kernel(int shift, double* a, double* b, state* s, double* partials, unsigned* ticket,
                 double tolerance, int max_it, cudaGraphConditionalHandle again) {
    const int count = 1 << (2 * shift), step = static_cast<int>(gridDim.x * blockDim.x);
    double most = 0;
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count / Rows; i += step)
        most = fmax(most, sweep<Rows>{shift}(i, s->it, a, b));
    lowering::reduce_grid(most, partials, ticket, maximum{}, [&](double found) {
        s->change = found;
        const int done = ++s->it;
        cudaGraphSetConditional(again, found > tolerance && done < max_it);
    });
}

// One side is hot, the others are cold.
static __global__ void heat_one_side(double* a, double* b, int m) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < std::size_t(m) * m) a[i] = b[i] = i < std::size_t(m) ? 1 : 0;
}

}  // namespace jacobi
