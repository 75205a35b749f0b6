// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver_one_pass.cuh"

// The method of solver_one_pass.cuh for squares that no cache holds. A warp goes down the rows of a band of columns, or up, with the last rows of r and of the next r
// in registers: it reads and computes each once. There are sixteen vectors r, and p and x are made up for in every sixteenth pass.
namespace solver {

// The bands of a square with zeros around it, four columns for each lane of a warp. The first and the last two columns are results of the bands beside it.
struct bands {
    static constexpr int of_lane = 4, width = 32 * of_lane, results = width - 4;
    int size, rows, in_a_row, count;  // of the square; of a band; how many bands are side by side; and in all

    // At most as many as there are warps.
    bands(int of_square, int warps) : size(of_square), in_a_row((size + results - 1) / results) {
        const int below = warps / in_a_row;
        rows = (size + below - 1) / below;
        count = in_a_row * ((size + rows - 1) / rows);
    }
};

// A row of a band: the columns of a lane. On the host one thread is the warp, and has all of them.
struct row_of_band {
#ifdef __CUDA_ARCH__
    static constexpr int columns = bands::of_lane;
#else
    static constexpr int columns = bands::width;
#endif
    double v[columns];

    // Of the lane, in the band.
    COGRAPH_HD static int first() {
#ifdef __CUDA_ARCH__
        return static_cast<int>(threadIdx.x % 32) * columns;
#else
        return 0;
#endif
    }

    // The element beside one.
    COGRAPH_HD double left(int k) const {
        double beside = 0;
#ifdef __CUDA_ARCH__
        beside = __shfl_up_sync(~0u, v[columns - 1], 1);
#endif
        return k > 0 ? v[k > 0 ? k - 1 : 0] : beside;
    }
    COGRAPH_HD double right(int k) const {
        double beside = 0;
#ifdef __CUDA_ARCH__
        beside = __shfl_down_sync(~0u, v[0], 1);
#endif
        return k < columns - 1 ? v[k < columns - 1 ? k + 1 : 0] : beside;
    }
    // A times the row, which is between two others.
    COGRAPH_HD row_of_band multiply(row_of_band const& before, row_of_band const& behind) const {
        row_of_band product;
        for (int k = 0; k < columns; ++k) product.v[k] = 4 * v[k] - (before.v[k] + behind.v[k]) - (left(k) + right(k));
        return product;
    }
};

// One of the bands, and a pass through its rows, which are numbered from the first one on, in the direction of the pass. Inner: there are elements all around it.
template <bool Inner>
struct band {
    using row = row_of_band;
    int size, rows, column;     // of the square; of the band; the lane's first one
    int begin, end;             // the rows that the square has
    int pitch, first, elements;  // from a row to the next one; of the first row; in a vector

    COGRAPH_HD band(bands const& all, int i, int turn)
        : size(all.size), column(i % all.in_a_row * bands::results - 2 + row::first()), elements(size * size) {
        const int number = i / all.in_a_row, top = number * all.rows, bottom = top + all.rows < size ? top + all.rows : size;
        const bool up = (turn ^ number) % 2 != 0;
        rows = bottom - top;
        begin = up ? bottom - size : -top;
        end = rows + (up ? top : size - bottom);
        pitch = up ? -size : size;
        first = (up ? bottom - 1 : top) * size + column;
    }
    // Whether it may be an inner one.
    COGRAPH_HD bool is_inner() const {
        const int left = column - row::first();
        return left >= 0 && left + bands::width <= size && begin <= -2 && end >= rows + 2;
    }
    COGRAPH_HD bool has(int r, int k) const { return Inner || (r >= begin && r < end && column + k >= 0 && column + k < size); }
    COGRAPH_HD bool is_result(int k) const {
        const int in_band = row::first() + k;
        return in_band >= 2 && in_band < bands::width - 2 && (Inner || column + k < size);
    }
    // Of a vector. Last: its elements leave the cache first, because they are not read again soon.
    template <bool Last>
    COGRAPH_HD row read(const double* vector, int r) const {
        row found;
        const double* const at = vector + (first + r * pitch);
        for (int k = 0; k < row::columns; k += 2) {
            double2 pair{0, 0};
            if (has(r, k)) pair = read_pair<Last>(reinterpret_cast<const double2*>(at + k));
            found.v[k] = pair.x;
            found.v[k + 1] = pair.y;
        }
        return found;
    }
    COGRAPH_HD void write(double* vector, int r, row const& from) const {
        double* const at = vector + (first + r * pitch);
        for (int k = 0; k < row::columns; k += 2)
            if (is_result(k)) *reinterpret_cast<double2*>(at + k) = double2{from.v[k], from.v[k + 1]};
    }

    // p and x after all steps, of which `steps` has those before this one and `residuals` their r.
    template <int Steps>
    COGRAPH_HD void make_up(int r, row const& residual_before, row const& residual, step const& now, const step* steps, const double* residuals, double* p, double* x) const {
        constexpr int others = Steps - 2, at_once = 7;
        static_assert(others % at_once == 0);
        row direction = read<true>(p, r), moved = read<true>(x, r);
        const auto take = [&](step const& of, row const& residual_then) {
            for (int k = 0; k < row::columns; ++k) {
                direction.v[k] = residual_then.v[k] + of.beta * direction.v[k];
                moved.v[k] += of.alpha * direction.v[k];
            }
        };
        for (int from = 0; from < others; from += at_once) {
            row then[at_once];
            for (int k = 0; k < at_once; ++k) then[k] = read<true>(residuals + index_t(from + k) * elements, r);
            for (int k = 0; k < at_once; ++k) take(steps[from + k], then[k]);
        }
        take(steps[Steps - 2], residual_before);
        take(now, residual);
        write(p, r, direction);
        write(x, r, moved);
    }

    // The next r, and its sums. Every row comes `ahead` rows early. with_row(r, residual_before, residual) for each row.
    template <int Ahead, class Group, class F>
    COGRAPH_HD dots pass(Group const& group, step const& now, const double* residual, const double* residual_before, double* next_residual, F const& with_row) const {
        row last[2] = {read<false>(residual, -2), read<false>(residual, -1)}, made[2] = {}, coming[Ahead], coming_before[Ahead];
        constexpr int lanes = row::columns / bands::of_lane;
        dots sums[lanes] = {};
        const auto fetch = [&](int from) {
            for (int k = 0; k < Ahead; ++k) {
                if (from + k > rows) break;
                coming[k] = read<false>(residual, from + k + 1);
                coming_before[k] = read<true>(residual_before, from + k);
            }
        };
        fetch(-1);
        for (int from = -1; from <= rows; from += Ahead) {
            row behind[Ahead], before[Ahead];
            for (int k = 0; k < Ahead; ++k) {
                behind[k] = coming[k];
                before[k] = coming_before[k];
            }
            fetch(from + Ahead);
            for (int k = 0; k < Ahead; ++k) {
                const int r = from + k;
                if (r > rows) break;
                const row product = last[1].multiply(last[0], behind[k]);
                row fresh;
                for (int c = 0; c < row::columns; ++c) {
                    const double value = last[1].v[c] - now.alpha * product.v[c] - now.gamma * (before[k].v[c] - last[1].v[c]);
                    fresh.v[c] = has(r, c) ? value : 0;
                }
                if (r >= 0 && r < rows) {
                    with_row(r, before[k], last[1]);
                    write(next_residual, r, fresh);
                }
                if (r > 0) {
                    const row product_of_made = made[1].multiply(made[0], fresh);
                    for (int c = 0; c < row::columns; ++c)
                        if (is_result(c)) sums[c / bands::of_lane] = add_dots{}(sums[c / bands::of_lane], {made[1].v[c] * made[1].v[c], made[1].v[c] * product_of_made.v[c]});
                }
                made[0] = made[1];
                made[1] = fresh;
                last[0] = last[1];
                last[1] = behind[k];
            }
        }
        return group.transform_reduce(32, [&](int lane) { return sums[lane % lanes]; }, add_dots{}, dots{});
    }

private:
    template <bool Last>
    COGRAPH_HD static double2 read_pair(const double2* at) {
#ifdef __CUDA_ARCH__
        if constexpr (Last) return __ldcs(at);
#endif
        return *at;
    }
};

// Every pass begins with what the last one has just left in the cache. Bands one below the other are gone through in opposite directions: both read the rows that they share at the
// same time.
struct band_step {
    static constexpr int lanes = 32, kept = 16;

    template <class Group>
    COGRAPH_HD dots operator()(Group const& group, index_t i, bands const& all, const int& it, const step& now, step* steps, double* residuals, double* p, double* x) const {
        const int number = static_cast<int>(i), turn = static_cast<int>(static_cast<unsigned>(it) % kept);
        if (turn < kept - 1 && i == 0 && group.rank() == 0) steps[turn] = now;
        const band<true> inner(all, number, it);
        if (inner.is_inner()) return pass(group, inner, turn, now, steps, residuals, p, x);
        return pass(group, band<false>(all, number, it), turn, now, steps, residuals, p, x);
    }

private:
    template <class Group, bool Inner>
    COGRAPH_HD dots pass(Group const& group, band<Inner> const& of, int turn, const step& now, const step* steps, double* residuals, double* p, double* x) const {
        using row = row_of_band;
        const auto numbered = [&](int number) { return residuals + index_t(number % kept) * of.elements; };
        const double* const residual = numbered(turn);
        const double* const before = now.beta == 0 ? residual : numbered(turn + kept - 1);  // the first r has none
        double* const next = numbered(turn + 1);
        if (turn < kept - 1) return of.template pass<2>(group, now, residual, before, next, [](int, row const&, row const&) {});
        return of.template pass<1>(group, now, residual, before, next, [&](int r, row const& residual_before, row const& residual_now) {
            of.template make_up<kept>(r, residual_before, residual_now, now, steps, residuals, p, x);
        });
    }
};

}  // namespace solver
