// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/libraries/rows/awaited_element.cuh>

#include <cstddef>

namespace cograph::core::sparse_routine {

// The rows of a matrix by their levels, which the first solve learns for those that follow. Rows of one level need none of each other. It is kept from
// launch to launch, zeros at first. A solve takes rows in this order, or in their own; no result depends on it.
struct alignas(16) row_order {
    unsigned levels;   // 0: not known
    unsigned deepest;  // of the rows that were solved while it is learned

    // An order is worth it if its levels have that many rows on average.
    static constexpr int least_width = 6;
    COGRAPH_HD static constexpr unsigned most_levels(index_t rows) { return static_cast<unsigned>(rows / least_width); }
    COGRAPH_HD static constexpr std::size_t bytes(index_t rows) {
        return sizeof(row_order) + (2 * static_cast<std::size_t>(rows) + most_levels(rows) + 1) * sizeof(unsigned);
    }

    __device__ int* rows_in_order() { return reinterpret_cast<int*>(this + 1); }
    // By row; before the order is known, which place it has in its level.
    __device__ unsigned* level_of(index_t rows) { return reinterpret_cast<unsigned*>(rows_in_order() + rows); }
    // By level: how many rows it has, and then the place of its first one.
    __device__ unsigned* counts(index_t rows) { return level_of(rows) + rows; }

    __device__ void note(index_t rows, int row, unsigned level) {
        if (level <= most_levels(rows)) level_of(rows)[row] = atomicAdd(&counts(rows)[level], 1u);
    }
};

// Sorts the rows of a solve by their levels. The last block calls it when all rows are solved.
template <class T>
__device__ void learn_order(row_order& order, solve_progress<T>& progress, int rows) {
    unsigned* const counts = order.counts(rows);
    unsigned* const level_of = order.level_of(rows);
    const unsigned levels = __ldcg(&order.deepest), most = row_order::most_levels(rows);
    const bool is_worth_it = levels <= most;
    __syncthreads();
    if (threadIdx.x < 32) {
        unsigned before = 0;
        for (unsigned first = 0; is_worth_it && first <= levels; first += 32) {
            const unsigned level = first + threadIdx.x, own = level <= levels ? __ldcg(&counts[level]) : 0;
            unsigned sum = own;
            for (unsigned by = 1; by < 32; by *= 2) {
                const unsigned other = __shfl_up_sync(~0u, sum, by);
                if (threadIdx.x >= by) sum += other;
            }
            if (level <= levels) counts[level] = before + sum - own;
            before += __shfl_sync(~0u, sum, 31);
        }
    }
    __syncthreads();
    constexpr int at_once = 16;
    const int threads = static_cast<int>(blockDim.x);
    for (int first = static_cast<int>(threadIdx.x); is_worth_it && first < rows; first += at_once * threads) {
        unsigned level[at_once], place[at_once];
#pragma unroll
        for (int k = 0; k < at_once; ++k) {
            const int row = first + k * threads < rows ? first + k * threads : first;
            level[k] = progress.elements()[row].mark();
            place[k] = __ldcg(&level_of[row]);
        }
#pragma unroll
        for (int k = 0; k < at_once; ++k) place[k] += counts[level[k]];
#pragma unroll
        for (int k = 0; k < at_once; ++k) {
            const int row = first + k * threads;
            if (row >= rows) continue;
            order.rows_in_order()[place[k]] = row;
            level_of[row] = level[k];
        }
    }
    __syncthreads();
    for (unsigned level = threadIdx.x; level <= most; level += blockDim.x) counts[level] = 0;
    if (threadIdx.x == 0) order.levels = is_worth_it ? levels : 0, order.deepest = 0;
}

}  // namespace cograph::core::sparse_routine
