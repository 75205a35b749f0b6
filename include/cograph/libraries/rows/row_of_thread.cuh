// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/libraries/rows/awaited_element.cuh>
#include <cograph/libraries/rows/known_divisor.hpp>
#include <cograph/libraries/sparse.hpp>

namespace cograph::core::sparse_routine {

// Which threads solve which rows: a row for each lane, or one for a warp if the mean row has many entries.
struct rows_of_threads {
    static constexpr int block = 128, lanes = 32;
    int of_warp;

    explicit rows_of_threads(index_t rows, index_t entries) : of_warp(entries > 32 * rows ? 1 : lanes) {}
    unsigned blocks(index_t rows, int threads = block) const {
        const index_t of_block = index_t{threads / lanes} * of_warp;
        return static_cast<unsigned>((rows + of_block - 1) / of_block);
    }
    // The threads of a warp share rows with more entries.
    __device__ static int most_entries_of_thread(int rows_of_warp) { return rows_of_warp == 1 ? 8 : 64; }
};

// A thread's row, whose entries it takes a few at a time, so that it waits for several elements at once. They are summed up in their order, of an upper half from
// the end. Of several entries on the diagonal the last one counts, and without any it is 1.
template <bool Forward, int AtOnce, class T>
struct row_of_thread {
    int row = 0, at = 0;  // the next entry
    int untaken = 0;      // how many entries
    int waits_for[AtOnce];   // columns, or -1
    T terms[AtOnce];
    T right = 0, sum = 0, diagonal = 1;
    known_divisor<T> divisor{1};  // the diagonal, as soon as all entries are taken
    bool has_diagonal = false;
    unsigned level = 0;  // the highest mark of the elements so far

    __device__ static bool needs(int row, int column) { return Forward ? column < row : column > row; }
    __device__ void begin(int of_row, const sparse::csr_view<T>& a, const T* x) {
        row = of_row;
        const int first = a.rows[row], end = a.rows[row + 1];
        at = Forward ? first : end - 1;
        untaken = end - first;
        right = x[row];
    }
    __device__ int first_entry() const { return Forward ? at : at + 1 - untaken; }
    __device__ bool has_all() const { return untaken <= 0; }
    __device__ void note_diagonal(int column, T entry) {
        if (column == row && (Forward || !has_diagonal)) diagonal = entry, has_diagonal = true;
    }

    // The next few that it needs; it leaves out others.
    __device__ void take(const sparse::csr_view<T>& a) {
#pragma unroll
        for (int k = 0; k < AtOnce; ++k) {
            waits_for[k] = -1;
            terms[k] = 0;
            while (untaken > 0) {
                const int column = a.columns[at];
                const T entry = a.entries[at];
                at += Forward ? 1 : -1;
                --untaken;
                note_diagonal(column, entry);
                if (needs(row, column)) {
                    waits_for[k] = column;
                    terms[k] = entry;
                    break;
                }
            }
        }
        if (has_all()) divisor = known_divisor<T>(diagonal);
    }
    // Whether all of them are there. `element(column, to)` gives the mark of one.
    template <class Element>
    __device__ bool look(Element const& element) {
        bool all = true;
#pragma unroll
        for (int k = 0; k < AtOnce; ++k) {
            if (waits_for[k] < 0) continue;
            T found;
            const unsigned mark = element(waits_for[k], found);
            all = put(k, mark, found) && all;
        }
        return all;
    }
    __device__ bool put(int k, unsigned mark, T found) {
        const bool is_there = mark != 0;
        terms[k] = is_there ? product(terms[k], found) : terms[k];
        waits_for[k] = is_there ? -1 : waits_for[k];
        level = mark > level ? mark : level;
        return is_there;
    }
    __device__ void add() {
#pragma unroll
        for (int k = 0; k < AtOnce; ++k) sum += terms[k];
    }
    template <bool Unit>
    __device__ T solution() const {
        return Unit ? right - sum : divisor.divide(right - sum);
    }

    // Rounded wherever it is inlined.
    __device__ static float product(float a, float b) { return __fmul_rn(a, b); }
    __device__ static double product(double a, double b) { return __dmul_rn(a, b); }
};

// The same for a thread that reads the next entries while it waits, also those that it does not need. It takes more registers, and less time between an element and the
// next one.
template <bool Forward, int AtOnce, class T>
struct row_read_ahead : row_of_thread<Forward, AtOnce, T> {
    using base = row_of_thread<Forward, AtOnce, T>;
    using base::row, base::at, base::untaken, base::waits_for, base::terms, base::put;
    int unread = 0;
    int columns[AtOnce];  // that it has read, or -1
    T entries[AtOnce];

    __device__ void begin(int of_row, const sparse::csr_view<T>& a, const T* x) {
        base::begin(of_row, a, x);
        unread = untaken;
    }
    __device__ void read(const sparse::csr_view<T>& a) {
#pragma unroll
        for (int k = 0; k < AtOnce; ++k) {
            const bool is_one = k < unread;
            const int e = Forward ? at + k : at - k;
            columns[k] = is_one ? a.columns[e] : -1;
            entries[k] = is_one ? a.entries[e] : T(0);
        }
        at += Forward ? AtOnce : -AtOnce;
        unread -= AtOnce;
    }
    __device__ bool needs(int column) const { return column >= 0 && base::needs(row, column); }
    __device__ void finish(const sparse::csr_view<T>& a) {
#pragma unroll
        for (int k = 0; k < AtOnce; ++k) base::note_diagonal(columns[k], entries[k]);
        untaken -= AtOnce;
        if (base::has_all())
            base::divisor = known_divisor<T>(base::diagonal);
        else
            read(a);
    }
    __device__ void take(const sparse::csr_view<T>& a) {
#pragma unroll
        for (int k = 0; k < AtOnce; ++k) {
            const bool is_needed = needs(columns[k]);
            waits_for[k] = is_needed ? columns[k] : -1;
            terms[k] = is_needed ? entries[k] : T(0);
        }
        finish(a);
    }
    // Leaves out entries that it has read and needs none of.
    __device__ void skip(const sparse::csr_view<T>& a) {
        bool needs_some = base::has_all();
#pragma unroll
        for (int k = 0; k < AtOnce; ++k) needs_some |= needs(columns[k]);
        if (!needs_some) finish(a);
    }
    __device__ bool look(const awaited_element<T>* elements) {
        T found[AtOnce];
        unsigned marks[AtOnce];
#pragma unroll
        for (int k = 0; k < AtOnce; ++k) marks[k] = elements[waits_for[k] < 0 ? 0 : waits_for[k]].look(found[k], waits_for[k] >= 0);
        bool all = true;
#pragma unroll
        for (int k = 0; k < AtOnce; ++k) {
            put(k, marks[k], found[k]);
            all = all && waits_for[k] < 0;
        }
        return all;
    }
};

// The row of a lane, summed up by all lanes of its warp. The diagonal is the one that a thread's row has. Gives false if a thread does not want to wait any more:
// `is_in_vain(row, column)` is asked now and then.
template <bool Forward, int AtOnce, class T, class Wait>
__device__ bool sum_long_row(row_of_thread<Forward, AtOnce, T>& row_of_lane, int lane, const sparse::csr_view<T>& a, const awaited_element<T>* elements, Wait const& is_in_vain) {
    const int row = __shfl_sync(~0u, row_of_lane.row, lane), begin = __shfl_sync(~0u, row_of_lane.first_entry(), lane), end = begin + __shfl_sync(~0u, row_of_lane.untaken, lane);
    T sum = 0, diagonal = 1;
    unsigned level = 0;
    int diagonal_at = -1;
    bool gives_up = false;
    for (int e = begin + static_cast<int>(threadIdx.x) % 32; e < end && !gives_up; e += 32) {
        const int column = a.columns[e];
        const T entry = a.entries[e];
        if (column == row) diagonal = entry, diagonal_at = e;
        if (!row_of_thread<Forward, AtOnce, T>::needs(row, column)) continue;
        T found = 0;
        unsigned mark = 0;
        for (unsigned looks = 1; mark == 0 && !gives_up; ++looks) {
            mark = elements[column].look(found);
            if (mark == 0 && looks % 256 == 0) gives_up = is_in_vain(row, column);
        }
        level = mark > level ? mark : level;
        sum += entry * found;
    }
    __syncwarp();
    for (int other = 16; other > 0; other /= 2) {
        sum += __shfl_xor_sync(~0u, sum, other);
        const int at = __shfl_xor_sync(~0u, diagonal_at, other);
        const T found = __shfl_xor_sync(~0u, diagonal, other);
        if (at > diagonal_at) diagonal = found, diagonal_at = at;
        const unsigned deeper = __shfl_xor_sync(~0u, level, other);
        level = deeper > level ? deeper : level;
    }
    if (static_cast<int>(threadIdx.x) % 32 == lane) {
        row_of_lane.sum = sum;
        row_of_lane.divisor = known_divisor<T>(diagonal);
        row_of_lane.level = level;
    }
    return !__any_sync(~0u, gives_up);
}

}  // namespace cograph::core::sparse_routine
