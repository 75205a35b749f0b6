// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/libraries/sparse.hpp>

#include <cstddef>

namespace cograph::core::sparse_routine {

// An element that other threads wait for, in words. Each holds 32 bits of it and a mark, so a thread that sees all marks has the element, and
// needs no order of other memory.
template <class T>
struct awaited_element;
template <>
struct alignas(8) awaited_element<float> {
    unsigned long long word;

    __device__ void tell(float value) { asm volatile("st.volatile.global.u64 [%0], %1;" ::"l"(this), "l"(1ull << 32 | __float_as_uint(value)) : "memory"); }
    __device__ bool has(float& value) const {
        unsigned long long found;
        asm volatile("ld.volatile.global.u64 %0, [%1];" : "=l"(found) : "l"(this) : "memory");
        value = __uint_as_float(static_cast<unsigned>(found));
        return found >> 32 != 0;
    }
};
template <>
struct alignas(16) awaited_element<double> {
    unsigned long long words[2];

    __device__ void tell(double value) {
        const auto marked = [](int half) { return 1ull << 32 | static_cast<unsigned>(half); };
        asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" ::"l"(this), "l"(marked(__double2loint(value))), "l"(marked(__double2hiint(value))) : "memory");
    }
    __device__ bool has(double& value) const {
        unsigned long long low, high;
        asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];" : "=l"(low), "=l"(high) : "l"(this) : "memory");
        value = __hiloint2double(static_cast<int>(high), static_cast<int>(low));
        return (low & high) >> 32 != 0;
    }
};
// The workspace of a solve, zeros at first: how many blocks have begun, and the elements of the solution.
template <class T>
struct alignas(16) solve_progress {
    unsigned begun;

    COGRAPH_HD static constexpr std::size_t bytes(index_t rows) { return sizeof(solve_progress) + static_cast<std::size_t>(rows) * sizeof(awaited_element<T>); }
    __device__ awaited_element<T>* elements() { return reinterpret_cast<awaited_element<T>*>(this + 1); }
};

// Which threads solve which rows: a row for each lane, or one for a warp if the mean row has many entries.
struct rows_of_threads {
    static constexpr int block = 128, lanes = 32;
    int of_warp;

    explicit rows_of_threads(index_t rows, index_t entries) : of_warp(entries > 32 * rows ? 1 : lanes) {}
    unsigned blocks(index_t rows) const {
        const index_t of_block = index_t{block / lanes} * of_warp;
        return static_cast<unsigned>((rows + of_block - 1) / of_block);
    }
    // The threads of a warp share rows with more entries.
    __device__ static int most_entries_of_thread(int rows_of_warp) { return rows_of_warp == 1 ? 8 : 64; }
};

// A thread's row, whose entries it takes a few at a time, so that it waits for several elements at once. They are summed up in their order, of an upper
// half from the end. Of several entries on the diagonal the last one counts, and without any it is 1.
template <bool Forward, class T>
struct row_of_thread {
    static constexpr int few = 4;
    int row = 0, next = 0, end = 0;
    int waits_for[few];  // columns, or -1
    T terms[few];
    T sum = 0, diagonal = 1;
    bool has_diagonal = false;

    __device__ static bool needs(int row, int column) { return Forward ? column < row : column > row; }
    __device__ void take(const sparse::csr_view<T>& a) {
#pragma unroll
        for (int k = 0; k < few; ++k) {
            waits_for[k] = -1;
            terms[k] = 0;
            while (next < end) {
                const int e = Forward ? next++ : --end;
                const int column = a.columns[e];
                const T entry = a.entries[e];
                if (column == row && (Forward || !has_diagonal)) diagonal = entry, has_diagonal = true;
                if (needs(row, column)) {
                    waits_for[k] = column;
                    terms[k] = entry;
                    break;
                }
            }
        }
    }
    // Whether all of them are there. `element(column, to)` tells whether one is.
    template <class Element>
    __device__ bool look(Element const& element) {
        bool all = true;
#pragma unroll
        for (int k = 0; k < few; ++k) {
            if (waits_for[k] < 0) continue;
            T found;
            if (element(waits_for[k], found)) {
                terms[k] *= found;
                waits_for[k] = -1;
            } else {
                all = false;
            }
        }
        return all;
    }
    __device__ void add() {
#pragma unroll
        for (int k = 0; k < few; ++k) sum += terms[k];
    }
};

// The sum and the diagonal of a long row, by all lanes of a warp; each gets them. The diagonal is the one that a thread's row has.
template <bool Forward, class T>
__device__ void sum_long_row(int row, int begin, int end, const sparse::csr_view<T>& a, const awaited_element<T>* elements, T& sum, T& diagonal) {
    sum = 0;
    diagonal = 1;
    int diagonal_at = -1;
    for (int e = begin + static_cast<int>(threadIdx.x) % 32; e < end; e += 32) {
        const int column = a.columns[e];
        const T entry = a.entries[e];
        if (column == row) diagonal = entry, diagonal_at = e;
        if (!row_of_thread<Forward, T>::needs(row, column)) continue;
        T found;
        while (!elements[column].has(found)) {
        }
        sum += entry * found;
    }
    __syncwarp();
    for (int other = 16; other > 0; other /= 2) {
        sum += __shfl_xor_sync(~0u, sum, other);
        const int at = __shfl_xor_sync(~0u, diagonal_at, other);
        const T found = __shfl_xor_sync(~0u, diagonal, other);
        if (at > diagonal_at) diagonal = found, diagonal_at = at;
    }
}

// Blocks take rows in order when they begin, so the rows that they wait for are those of blocks that run. Within a warp, a row may need another one: all
// lanes look for what they wait for, and then see which rows were solved. A long row has its turn when those before it in its warp are solved.
// cuSPARSE would first analyse the matrix, which cannot be captured; cusparseSpSV_solve takes the numbers that the matrix had then.
template <bool Forward, bool Unit, class T>
__global__ void __launch_bounds__(rows_of_threads::block) solve_rows(T* x, const sparse::csr_view<T> a, solve_progress<T>* progress, int rows_of_warp) {
    __shared__ unsigned ticket;
    __shared__ T solutions[rows_of_threads::block];
    if (threadIdx.x == 0) ticket = atomicAdd(&progress->begun, 1u);
    __syncthreads();
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32, rows = static_cast<int>(a.row_count);
    const index_t first = (index_t{ticket} * (rows_of_threads::block / 32) + warp) * rows_of_warp;
    if (first >= rows) return;
    awaited_element<T>* const elements = progress->elements();
    T* const own_solutions = solutions + warp * 32;
    const int step = static_cast<int>(first) + lane, row_of_first_lane = Forward ? static_cast<int>(first) : rows - 1 - static_cast<int>(first);
    bool is_open = lane < rows_of_warp && step < rows;
    row_of_thread<Forward, T> own;
    T right = 0;
    if (is_open) {
        own.row = Forward ? step : rows - 1 - step;
        own.next = a.rows[own.row];
        own.end = a.rows[own.row + 1];
        right = x[own.row];
    }
    const bool is_long = own.end - own.next > rows_of_threads::most_entries_of_thread(rows_of_warp);
    if (!is_long) own.take(a);
    unsigned solved = 0;  // a bit for each lane
    while (const unsigned open = __ballot_sync(~0u, is_open)) {
        bool is_new = false;
        const int lowest = __ffs(static_cast<int>(open)) - 1;
        if (__shfl_sync(~0u, is_long, lowest)) {
            T sum, diagonal;
            sum_long_row<Forward>(__shfl_sync(~0u, own.row, lowest), __shfl_sync(~0u, own.next, lowest), __shfl_sync(~0u, own.end, lowest), a, elements, sum, diagonal);
            is_new = lane == lowest;
            if (is_new) own.sum = sum, own.diagonal = diagonal;
        } else if (is_open && !is_long) {
            const bool all = own.look([&](int column, T& found) {
                const int other = Forward ? column - row_of_first_lane : row_of_first_lane - column;
                if (other < 0) return elements[column].has(found);
                const bool is_there = (solved >> other & 1) != 0;
                if (is_there) found = own_solutions[other];
                return is_there;
            });
            if (all) {
                own.add();
                is_new = own.next == own.end;
                if (!is_new) own.take(a);
            }
        }
        if (is_new) {
            const T solution = Unit ? right - own.sum : (right - own.sum) / own.diagonal;
            elements[own.row].tell(solution);
            own_solutions[lane] = solution;
            x[own.row] = solution;
            is_open = false;
        }
        __syncwarp();
        solved |= __ballot_sync(~0u, is_new);
    }
}

}  // namespace cograph::core::sparse_routine
