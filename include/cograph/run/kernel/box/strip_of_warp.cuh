// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/lane_order.hpp>
#include <cograph/run/kernel/box/step_of_pass.cuh>

#include <cstdint>
#include <cstring>

namespace cograph::core {

// Bytes that a thread moves at once.
template <int Bytes>
struct word_of_bytes {
    using type = choose<Bytes == 16, uint4, choose<Bytes == 8, uint2, choose<Bytes == 4, unsigned, choose<Bytes == 2, unsigned short, unsigned char>>>>;
};
template <int Count, class E>
__device__ void load_word(const E* from, E* to) {
    const auto word = *reinterpret_cast<const typename word_of_bytes<Count * sizeof(E)>::type*>(from);
    memcpy(to, &word, sizeof word);
}
template <int Count, class E>
__device__ void store_word(const E* from, E* to) {
    typename word_of_bytes<Count * sizeof(E)>::type word;
    memcpy(&word, from, sizeof word);
    *reinterpret_cast<decltype(word)*>(to) = word;
}

// A part of the box, for all steps of a warp. Its results are of `height` rows; rows are numbered from the first of those on, in the direction of the march.
template <int Steps, bool Keeps, class Given, class U, class T, class Terms>
struct strip_of_warp {
    template <int Step>
    using written = choose<Step % 2 == 0, U, T>;
    static constexpr int most = pass_strip::columns_of_lane, width = warp_lanes * most, results = width - 2 * Steps, ahead = pass_strip::rows_ahead;
    // The second of two passes begins with what the first one wrote last, while that is in the second-level cache.
    static constexpr bool backwards = Keeps;

    Given const& given;
    Terms& terms;
    index_t rows, columns, row0, column0;  // of the box; of the first result's row and the lane's first column
    int top, bottom, height;               // rows of the box, if they may matter; and of results
    int in_strip[most];                    // how many columns there are on the nearer side of a column in the strip; -1: it is not in the box

    __device__ strip_of_warp(Given const& parameters, Terms& all_terms, const T* source, T* result, U* kept_result, index_t all_rows, index_t all_columns, index_t begin, index_t end, index_t column)
        : given(parameters), terms(all_terms), rows(all_rows), columns(all_columns), row0(backwards ? end - 1 : begin), height(static_cast<int>(end - begin)), pitch(backwards ? -all_columns : all_columns) {
        const int lane = static_cast<int>(threadIdx.x % warp_lanes);
        column0 = column - Steps + lane * most;
        const auto if_near = [&](index_t more) { return static_cast<int>(more < Steps ? more : Steps + 1); };
        top = -if_near(backwards ? rows - end : begin);
        bottom = height + if_near(backwards ? begin : rows - end);
        first_read = top > -Steps ? top : -Steps;
        last_read = (bottom < height + Steps ? bottom : height + Steps) - 1;
        const index_t first = row0 * columns + column0;
        from = source + (first + first_read * pitch);
        to = result + first;
        if constexpr (Keeps) kept = kept_result + first;
        for (int j = 0; j < most; ++j) {
            const int before = lane * most + j, behind = width - 1 - before;
            in_strip[j] = column0 + j < 0 || column0 + j >= columns ? -1 : before < behind ? before : behind;
        }
        is_between_sides = column > Steps && column - Steps + width < columns;
        in_words = is_aligned(source) && is_aligned(result) && (!Keeps || is_aligned(kept_result));
    }

    // The next row, one after another from row -Steps on. In place of rows that are not needed, others come.
    template <bool Inner>
    __device__ void load(int row, T (&arriving)[most]) {
        constexpr int together = in_a_word<T>;
        if (in_words) {
#pragma unroll
            for (int j = 0; j < most; j += together)
                if (Inner || in_strip[j] >= 0) load_word<together>(from + j, arriving + j);
        } else {
#pragma unroll
            for (int j = 0; j < most; ++j)
                if (Inner || in_strip[j] >= 0) arriving[j] = from[j];
        }
        if (row >= first_read && row < last_read) from += pitch;
    }
    __device__ box_place<2> place(int row, int j) const {
        const index_t r = backwards ? row0 - row : row0 + row, c = column0 + j;
        return {r * columns + c, {r, c}, {rows, columns}};
    }
    // As a place in a box that ends beside the element, or is far from ending.
    template <bool Inner>
    __device__ box_place<2> sides(int row, int j) const {
        constexpr index_t far = 1 << 20;
        if constexpr (Inner) {
            return {0, {far, far}, {2 * far, 2 * far}};
        } else {
            const bool is_first = row == top, is_last = row + 1 == bottom;
            const index_t r = (backwards ? is_last : is_first) ? 0 : far, c = column0 + j == 0 ? 0 : far;
            return {0, {r, c}, {r + 1 + ((backwards ? is_first : is_last) ? 0 : far), c + 1 + (column0 + j + 1 == columns ? 0 : far)}};
        }
    }
    // Whether none of the elements that steps take in the next rounds is at an edge of the box, and they take all rows.
    __device__ bool are_inner(int row) const { return is_between_sides && row >= Steps && row - Steps > top && row + ahead - 1 < height + Steps && row + ahead - 1 < bottom; }
    // The last step's results of a row, and those of the step before it: one row after another.
    __device__ void end_row(int row, const U (&of_between)[most], const T (&of_last)[most]) {
        store(to, of_last);
        to += pitch;
        if constexpr (Keeps) {
            store(kept, of_between);
            kept += pitch;
        }
        bool which[most];
        decltype(terms.term(place(row, 0), of_between[0], of_last[0])) found[most];
#pragma unroll
        for (int j = 0; j < most; ++j) {
            which[j] = in_strip[j] >= Steps;
            if (which[j]) found[j] = terms.term(place(row, j), of_between[j], of_last[j]);
        }
        terms.join_some(which, found, [&](int j) { return place(row, j).number; });
    }

private:
    index_t pitch;  // from a row to the next one
    const T* from;  // the lane's elements of the next rows to read and to write
    T* to;
    U* kept;
    int first_read, last_read;
    bool in_words, is_between_sides;

    template <class E>
    static constexpr int in_a_word = [] {
        int count = 1;
        while (2 * count * sizeof(E) <= 16 && most % (2 * count) == 0 && Steps % (2 * count) == 0) count *= 2;
        return count;
    }();
    template <class E>
    __device__ bool is_aligned(const E* array) const {
        return columns % in_a_word<E> == 0 && reinterpret_cast<std::uintptr_t>(array) % (sizeof(E) * in_a_word<E>) == 0;
    }
    template <class E>
    __device__ void store(E* at, const E (&values)[most]) const {
        constexpr int together = in_a_word<E>;
        if (in_words) {
#pragma unroll
            for (int j = 0; j < most; j += together)
                if (in_strip[j] >= Steps) store_word<together>(values + j, at + j);
        } else {
#pragma unroll
            for (int j = 0; j < most; ++j)
                if (in_strip[j] >= Steps) at[j] = values[j];
        }
    }
};

}  // namespace cograph::core
