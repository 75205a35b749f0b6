// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/libraries/rows/row_of_thread.cuh>
#include <cograph/libraries/rows/row_order.cuh>

namespace cograph::core::sparse_routine {

// Two kernels solve a triangle. The first one takes rows in the order that an earlier solve has learned, and does nothing if there is none. The second one takes
// the rows that are not solved by then. In both, rows are taken as tickets, so the rows that a warp waits for are those of warps that run.

// Of the first kernel: as many blocks as a device may run at once, or fewer if there are few rows.
inline constexpr unsigned blocks_of_multiprocessor = 8;
inline unsigned blocks_in_order(unsigned needed, int multiprocessors) {
    const unsigned at_once = static_cast<unsigned>(multiprocessors) * blocks_of_multiprocessor;
    return needed < at_once ? needed : at_once;
}
// All threads of a warp call it; its first lane has the number.
__device__ inline unsigned take_ticket(unsigned& begun) { return threadIdx.x % 32 == 0 ? atomicAdd(&begun, 1u) : 0; }

// Rows by their levels: all that a row waits for is in earlier rows, and mostly solved. Only a few levels are in work at once, enough to hide reads of the matrix: more
// warps would only look for elements that are not there. If the structure of the matrix has changed, a row may need one of its own level, or of a later one. Then all
// warps give up.
template <bool Forward, bool Unit, int AtOnce, class T>
__global__ void __launch_bounds__(rows_of_threads::block) solve_in_order(T* x, const sparse::csr_view<T> a, solve_progress<T>* progress, row_order* order, int rows_of_warp) {
    constexpr unsigned levels_at_once = 4;
    if (order->levels == 0) return;
    const int lane = static_cast<int>(threadIdx.x) % 32, rows = static_cast<int>(a.row_count);
    const unsigned warps = static_cast<unsigned>(rows) / order->levels * levels_at_once / static_cast<unsigned>(rows_of_warp);
    if (blockIdx.x >= gridDim.x / blocks_of_multiprocessor && blockIdx.x > warps / (rows_of_threads::block / 32)) return;
    const unsigned* const level_of = order->level_of(rows);
    awaited_element<T>* const elements = progress->elements();
    const auto is_in_vain = [&](int row, int column) {
        volatile unsigned& has_given_up = progress->has_given_up;
        if (level_of[column] >= level_of[row]) has_given_up = 1;
        return has_given_up != 0;
    };
    const auto row_at = [&](index_t first) { return lane < rows_of_warp && first + lane < rows ? order->rows_in_order()[first + lane] : -1; };
    const auto take_first = [&](unsigned ticket) { return index_t{__shfl_sync(~0u, ticket, 0)} * rows_of_warp; };
    index_t first = take_first(take_ticket(progress->begun_in_order));
    int row = row_at(first);
    unsigned next = take_ticket(progress->begun_in_order);
    while (first < rows) {
        row_read_ahead<Forward, AtOnce, T> own;
        bool is_open = row >= 0;
        if (is_open) own.begin(row, a, x);
        first = take_first(next);  // what follows is read meanwhile
        row = row_at(first);
        next = take_ticket(progress->begun_in_order);
        const bool is_long = own.untaken > rows_of_threads::most_entries_of_thread(rows_of_warp);
        if (is_open && !is_long) {
            own.read(a);
            own.take(a);
        }
        unsigned looks = 0;
        while (const unsigned open = __ballot_sync(~0u, is_open)) {
            bool is_new = false, gives_up = false;
            const int lowest = __ffs(static_cast<int>(open)) - 1;
            if (__shfl_sync(~0u, is_long, lowest)) {
                gives_up = !sum_long_row<Forward, AtOnce, T>(own, lowest, a, elements, is_in_vain);
                is_new = !gives_up && lane == lowest;
            } else if (is_open && !is_long) {
                if (own.look(elements)) {
                    own.add();
                    is_new = own.has_all();
                    if (!is_new) own.take(a);
                } else {
                    own.skip(a);
                    if (++looks % 256 == 0) {
#pragma unroll
                        for (int k = 0; k < AtOnce; ++k)
                            if (own.waits_for[k] >= 0) gives_up |= is_in_vain(own.row, own.waits_for[k]);
                    }
                }
            }
            if (is_new) {
                const T solution = own.template solution<Unit>();
                elements[own.row].tell(solution, 1);
                x[own.row] = solution;
                is_open = false;
            }
            if (__any_sync(~0u, gives_up)) return;
        }
    }
}

// A thread takes more entries at once if rows have more, up to 16: places for entries that a row does not have take time, too.
template <bool Forward, bool Unit, class T>
auto solve_in_order_for(index_t rows, index_t entries) {
    return entries <= 8 * rows ? &solve_in_order<Forward, Unit, 4, T> : entries <= 16 * rows ? &solve_in_order<Forward, Unit, 8, T> : &solve_in_order<Forward, Unit, 16, T>;
}

// Rows in their own order, without those that are solved. Within a warp, a row may need another one: all lanes look for what they wait for, and then see
// which rows were solved. A long row has its turn when those before it in its warp are solved. Learns the order for the next solve, if it is given memory for that.
template <bool Forward, bool Unit, bool Learns, class T>
__global__ void __launch_bounds__(rows_of_threads::block, 9) solve_rows(T* x, const sparse::csr_view<T> a, solve_progress<T>* progress, row_order* order, int rows_of_warp) {
    __shared__ unsigned ticket;
    __shared__ T solutions[rows_of_threads::block];
    __shared__ unsigned levels[rows_of_threads::block];
    bool some_are_solved = false, learns = false;
    if constexpr (Learns) {
        some_are_solved = progress->has_given_up != 0;
        if (order->levels != 0 && !some_are_solved) return;
        learns = !some_are_solved;
    }
    if (threadIdx.x == 0) ticket = atomicAdd(&progress->begun, 1u);
    __syncthreads();
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32, rows = static_cast<int>(a.row_count);
    awaited_element<T>* const elements = progress->elements();
    T* const own_solutions = solutions + warp * 32;
    unsigned* const own_levels = levels + warp * 32;
    const index_t first = (index_t{ticket} * (rows_of_threads::block / 32) + warp) * rows_of_warp;
    const int step = static_cast<int>(first) + lane, row_of_first_lane = Forward ? static_cast<int>(first) : rows - 1 - static_cast<int>(first);
    bool is_open = lane < rows_of_warp && first + lane < rows, was_solved = false;
    row_of_thread<Forward, 4, T> own;
    if (is_open) own.begin(Forward ? step : rows - 1 - step, a, x);
    if (is_open && some_are_solved) {
        own_levels[lane] = elements[own.row].look(own_solutions[lane]);
        was_solved = own_levels[lane] != 0;
        is_open = !was_solved;
    }
    const bool is_long = own.untaken > rows_of_threads::most_entries_of_thread(rows_of_warp);
    if (is_open && !is_long) own.take(a);
    if constexpr (Learns) __syncwarp();  // a ballot orders no memory
    unsigned solved = __ballot_sync(~0u, was_solved);  // a bit for each lane
    while (const unsigned open = __ballot_sync(~0u, is_open)) {
        bool is_new = false;
        const int lowest = __ffs(static_cast<int>(open)) - 1;
        if (__shfl_sync(~0u, is_long, lowest)) {
            sum_long_row<Forward, 4, T>(own, lowest, a, elements, [](int, int) { return false; });
            is_new = lane == lowest;
        } else if (is_open && !is_long) {
            const bool all = own.look([&](int column, T& found) {
                const int other = Forward ? column - row_of_first_lane : row_of_first_lane - column;
                if (other < 0) return elements[column].look(found);
                const bool is_there = (solved >> other & 1) != 0;
                if (is_there) found = own_solutions[other];
                return !is_there ? 0u : Learns ? own_levels[other] : 1u;
            });
            if (all) {
                own.add();
                is_new = own.has_all();
                if (!is_new) own.take(a);
            }
        }
        if (is_new) {
            const T solution = own.template solution<Unit>();
            const unsigned level = Learns ? own.level + 1 : 1;
            elements[own.row].tell(solution, level);
            own_solutions[lane] = solution;
            if constexpr (Learns) own_levels[lane] = level;
            x[own.row] = solution;
            is_open = false;
        }
        __syncwarp();
        solved |= __ballot_sync(~0u, is_new);
    }
    if constexpr (Learns) {
        __shared__ bool is_last;
        if (learns) {
            if (lane < rows_of_warp && first + lane < rows) order->note(rows, own.row, own.level + 1);
            unsigned deepest = own.level + 1;
            for (int other = 16; other > 0; other /= 2) {
                const unsigned found = __shfl_xor_sync(~0u, deepest, other);
                deepest = found > deepest ? found : deepest;
            }
            if (lane == 0) atomicMax(&order->deepest, deepest);
        }
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) is_last = atomicAdd(&progress->ended, 1u) == gridDim.x - 1;
        __syncthreads();
        if (!is_last) return;
        __threadfence();
        if (learns)
            learn_order(*order, *progress, rows);
        else if (threadIdx.x == 0)
            order->levels = 0;
    }
}

}  // namespace cograph::core::sparse_routine
