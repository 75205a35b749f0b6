// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lowering.cuh"

// Jacobi's method on a square of doubles whose edges are fixed, as one persistent kernel written by hand: each thread keeps Rows x Columns
// elements in registers, and RowsInMemory x Columns in shared memory; warps give each other rows through shared memory, and blocks give each other borders through memory. It tests the largest
// change of every Every-th step, or none if that is 0.
namespace on_chip_by_hand {

using word = unsigned long long;

struct arguments {
    const double* from;
    double* to;
    int n, across, down, steps;
    double tolerance;
    double *top, *bottom, *left, *right;  // borders, twice: of blocks by rows and columns of blocks
    word* most;                           // by turns of three
    unsigned* arrived;
    int* done;
};

static __device__ word largest_of_warp(word mine) {
    for (int by = 16; by > 0; by /= 2) {
        const word other = __shfl_xor_sync(~0u, mine, by);
        mine = other > mine ? other : mine;
    }
    return mine;
}
// Joins what the threads of a block found with what other blocks find in this turn, of three.
template <int Warps>
__device__ void join_largest(double found_by_thread, word (&found)[Warps], word* most, int turn) {
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    word mine = largest_of_warp(static_cast<word>(__double_as_longlong(found_by_thread)));
    if (lane == 0) found[warp] = mine;
    __syncthreads();
    if (warp == 0) {
        mine = largest_of_warp(lane < Warps ? found[lane] : 0);
        if (lane == 0) {
            atomicMax(most + turn % 3, mine);
            if (blockIdx.x == 0) __stcg(most + (turn + 1) % 3, word{0});
        }
    }
}

template <int Columns, int Rows, int RowsInMemory, int Warps>
struct shared_of_sweeps {
    double rows_of_warps[2][Warps][2][32 * Columns], sides[Warps][2][Rows + RowsInMemory];
    double of_threads[RowsInMemory > 0 ? RowsInMemory : 1][Columns][RowsInMemory > 0 ? Warps * 32 : 1];
    word found[Warps];
};
template <int Columns, int RowsInRegisters, int RowsInMemory, int Warps, int Every>
__global__ void __launch_bounds__(Warps * 32, 1) sweeps(arguments given) {
    constexpr int Rows = RowsInRegisters + RowsInMemory, height = Warps * Rows, width = 32 * Columns;
    extern __shared__ double memory[];
    auto& shared = *reinterpret_cast<shared_of_sweeps<Columns, RowsInRegisters, RowsInMemory, Warps>*>(memory);
    auto& rows_of_warps = shared.rows_of_warps;
    auto& sides = shared.sides;
    const int n = given.n, warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const int at_x = static_cast<int>(blockIdx.x) % given.across, at_y = static_cast<int>(blockIdx.x) / given.across;
    const int first_row = at_y * height + warp * Rows, first_column = at_x * width + lane * Columns;
    const std::size_t of_rows = std::size_t(given.down) * n, of_columns = std::size_t(given.across) * n;
    double own[RowsInRegisters][Columns] = {};  // the compiler does not see that all are set
    lowering::grid_barrier all{given.arrived};

    const auto read = [&](int r, int c) { return r < RowsInRegisters ? own[r < RowsInRegisters ? r : 0][c] : shared.of_threads[r < RowsInRegisters ? 0 : r - RowsInRegisters][c][RowsInMemory > 0 ? threadIdx.x : 0]; };
    const auto write = [&](int r, int c, double value) {
        if (r < RowsInRegisters)
            own[r < RowsInRegisters ? r : 0][c] = value;
        else
            shared.of_threads[r < RowsInRegisters ? 0 : r - RowsInRegisters][c][RowsInMemory > 0 ? threadIdx.x : 0] = value;
    };
    const auto give = [&](int r, const double (&value)[Columns], int step) {
        const int turn = step & 1;
        if (lane == 0 && at_x > 0) __stcg(given.left + turn * of_columns + std::size_t(at_x) * n + first_row + r, value[0]);
        if (lane == 31 && at_x < given.across - 1) __stcg(given.right + turn * of_columns + std::size_t(at_x) * n + first_row + r, value[Columns - 1]);
        if (r == 0)
            for (int c = 0; c < Columns; ++c) {
                rows_of_warps[turn][warp][0][lane * Columns + c] = value[c];
                if (warp == 0 && at_y > 0) __stcg(given.top + turn * of_rows + std::size_t(at_y) * n + first_column + c, value[c]);
            }
        if (r == Rows - 1)
            for (int c = 0; c < Columns; ++c) {
                rows_of_warps[turn][warp][1][lane * Columns + c] = value[c];
                if (warp == Warps - 1 && at_y < given.down - 1) __stcg(given.bottom + turn * of_rows + std::size_t(at_y) * n + first_column + c, value[c]);
            }
    };
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
        double value[Columns];
        for (int c = 0; c < Columns; ++c) write(r, c, value[c] = given.from[std::size_t(first_row + r) * n + first_column + c]);
        give(r, value, 0);
    }
    all.wait();
    int step = 0;
    for (;; ++step) {
        const int turn = step & 1;
        const bool tests = Every == 1 || (Every > 1 && (step + 1) % (Every > 1 ? Every : 1) == 0);
        double above[Columns] = {}, below[Columns] = {};
        if (warp > 0 || at_y > 0)
#pragma unroll
            for (int c = 0; c < Columns; ++c)
                above[c] = warp > 0 ? rows_of_warps[turn][warp - 1][1][lane * Columns + c]
                                    : __ldcg(given.bottom + turn * of_rows + std::size_t(at_y - 1) * n + first_column + c);
        if (warp < Warps - 1 || at_y < given.down - 1)
#pragma unroll
            for (int c = 0; c < Columns; ++c)
                below[c] = warp < Warps - 1 ? rows_of_warps[turn][warp + 1][0][lane * Columns + c]
                                            : __ldcg(given.top + turn * of_rows + std::size_t(at_y + 1) * n + first_column + c);
        if (lane < 2 * Rows) {
            const int side = lane / Rows, r = lane % Rows;
            if (side == 0 && at_x > 0) sides[warp][0][r] = __ldcg(given.right + turn * of_columns + std::size_t(at_x - 1) * n + first_row + r);
            if (side == 1 && at_x < given.across - 1) sides[warp][1][r] = __ldcg(given.left + turn * of_columns + std::size_t(at_x + 1) * n + first_row + r);
        }
        __syncwarp();
        double most = 0, row[Columns], next_row[Columns];
#pragma unroll
        for (int c = 0; c < Columns; ++c) row[c] = read(0, c);
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
#pragma unroll
            for (int c = 0; c < Columns; ++c) next_row[c] = r + 1 < Rows ? read(r + 1, c) : below[c];
            double left = __shfl_up_sync(~0u, row[Columns - 1], 1), right = __shfl_down_sync(~0u, row[0], 1);
            if (lane == 0) left = sides[warp][0][r];
            if (lane == 31) right = sides[warp][1][r];
            double value[Columns];
            const bool inner_row = first_row + r > 0 && first_row + r < n - 1;
#pragma unroll
            for (int c = 0; c < Columns; ++c) {
                const double mean = 0.25 * ((above[c] + next_row[c]) + ((c > 0 ? row[c > 0 ? c - 1 : 0] : left) + (c < Columns - 1 ? row[c < Columns - 1 ? c + 1 : c] : right)));
                value[c] = inner_row && first_column + c > 0 && first_column + c < n - 1 ? mean : row[c];
                if (tests) most = fmax(most, fabs(value[c] - row[c]));
            }
#pragma unroll
            for (int c = 0; c < Columns; ++c) write(r, c, value[c]), above[c] = row[c], row[c] = next_row[c];
            give(r, value, step + 1);
        }
        double change = 1;
        if (tests) join_largest(most, shared.found, given.most, step);
        all.wait();
        if (tests) change = __longlong_as_double(static_cast<long long>(__ldcg(given.most + step % 3)));
        if (step + 1 == given.steps || change <= given.tolerance) break;
    }
#pragma unroll
    for (int r = 0; r < Rows; ++r)
        for (int c = 0; c < Columns; ++c) given.to[std::size_t(first_row + r) * n + first_column + c] = read(r, c);
    if (blockIdx.x == 0 && threadIdx.x == 0) *given.done = step + 1;
}

// Launches it for a square whose side its tiles divide.
template <int Columns, int RowsInRegisters, int RowsInMemory, int Warps, int Every>
class loop {
    static constexpr int Rows = RowsInRegisters + RowsInMemory;
    static constexpr int shared = sizeof(shared_of_sweeps<Columns, RowsInRegisters, RowsInMemory, Warps>);
    static const void* kernel() { return reinterpret_cast<const void*>(&sweeps<Columns, RowsInRegisters, RowsInMemory, Warps, Every>); }

public:
    loop(int n, int steps, const double* from, double* to)
        : borders(std::size_t{8} * 64 * static_cast<std::size_t>(n)), most(3), arrived(1), done(1),
          given{from, to, n, n / (32 * Columns), n / (Warps * Rows), steps, -1, borders.data, nullptr, nullptr, nullptr, most.data, arrived.data, done.data} {
        const std::size_t of_one = std::size_t{2} * 64 * static_cast<std::size_t>(n);
        given.bottom = given.top + of_one;
        given.left = given.bottom + of_one;
        given.right = given.left + of_one;
        bench::check(cudaFuncSetAttribute(kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    }
    void launch(cudaStream_t stream) {
        bench::check(cudaMemsetAsync(most.data, 0, 3 * sizeof(word), stream));
        bench::check(cudaMemsetAsync(arrived.data, 0, sizeof(unsigned), stream));
        void* parameters[] = {&given};
        bench::check(cudaLaunchCooperativeKernel(kernel(), dim3(static_cast<unsigned>(given.across * given.down)), dim3(Warps * 32), parameters, shared, stream));
    }

private:
    bench::device_array<double> borders;
    bench::device_array<word> most;
    bench::device_array<unsigned> arrived;
    bench::device_array<int> done;
    arguments given;
};

}  // namespace on_chip_by_hand
