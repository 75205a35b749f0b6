// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/kernel/box/step_of_pass.cuh>

#include <type_traits>

namespace cograph::core {

// Two steps over a box of three dimensions in a pass over memory. A block marches through the planes of its part of the box. In each round it takes the first
// step of a plane, and the second step of the plane before the last. Both steps' threads have the elements above and below their own in registers, and those
// beside it in shared memory. A warp has 32 results of each of its rows; the last warp has the first step's columns on either side.

// A copy into shared memory, for which the thread need not wait at once.
template <class T>
__device__ void copy_to_shared(T* to, const T* from) {
#if __CUDA_ARCH__ >= 800
    if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "l"(from), "n"(sizeof(T)) : "memory");
        return;
    }
#endif
    *to = *from;
}
__device__ inline void end_of_plane() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// For all copies but those of the last planes.
template <int Planes>
__device__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Planes) : "memory");
#endif
}

// The part of a box that a block takes.
template <class Tile>
struct part_of_pass : Tile {
    using Tile::columns, Tile::rows, Tile::rows_of_thread, Tile::planes_ahead;
    static constexpr int width = columns + 2, height = rows + 2;  // of the first step
    static constexpr int read_width = columns + 4, read_height = rows + 4;
    static constexpr int main_threads = columns * (height / rows_of_thread), side_threads = (2 * height + 31) / 32 * 32, threads = main_threads + side_threads;
    static constexpr int plane = width * height, read_plane = read_width * read_height, planes_read = planes_ahead + 3;
    static_assert(columns % 32 == 0 && height % rows_of_thread == 0 && static_cast<unsigned>(threads) == Tile::threads);
};

template <class Part, class First, class Second, bool Keeps, class Given, class U, class Terms>
struct pass_of_block {
    using first_call = call_of_step<First>;
    using second_call = call_of_step<Second>;
    using T = typename first_call::element;
    // Its results are of planes from begin to end. Row and column: the first ones of the first step.
    __device__ pass_of_block(Given const& parameters, Terms& all_terms, const T* source, T* result, U* first_result, const int (&sides)[3], U* shared_between, T* shared_read, int begin, int end, int row, int column)
        : given(parameters), terms(all_terms), from(source), to(result), kept(first_result), planes(sides[0]), rows(sides[1]), columns(sides[2]), between(shared_between), read(shared_read), first(begin), last(end), row0(row), column0(column) {}

    // A thread has rows of a column, and results of most of them; or, in the last warps, the first step of one element of a row beside those.
    __device__ void run() {
        const int thread = static_cast<int>(threadIdx.x), beside = thread - Part::main_threads;
        const bool has_results = beside < 0;
        const int i = has_results ? thread / Part::columns * most : beside / 2 < Part::height ? beside / 2 : Part::height - 1;
        const int j = has_results ? thread % Part::columns + 1 : beside % 2 != 0 ? Part::width - 1 : 0;
        const int row = row0 + i, column = column0 + j;
        own = {row, column, row * columns + column};
#pragma unroll
        for (int r = 0; r < most; ++r) {
            is_there[r] = row + r >= 0 && row + r < rows && column >= 0 && column < columns;
            is_result[r] = is_there[r] && i + r >= 1 && i + r <= Part::rows;
        }
        in_read = (i + 1) * Part::read_width + j + 1;
        in_between = i * Part::width + j;
        row_above = i > 0 ? -Part::width : 0;  // of rows beside those of the first step, nothing is a result
        row_below = i + most < Part::height ? most * Part::width : 0;
        // Copies of a thread, by element of a plane.
        constexpr int copies = (Part::read_plane + Part::threads - 1) / Part::threads;
        int source[copies];
#pragma unroll
        for (int k = 0; k < copies; ++k) {
            const int number = k * Part::threads + thread, down = row0 - 1 + number / Part::read_width, across = column0 - 1 + number % Part::read_width;
            source[k] = number < Part::read_plane && down >= 0 && down < rows && across >= 0 && across < columns ? down * columns + across : -1;
        }
        const auto bring = [&](int plane, T* slot) {
            if (plane >= 0 && plane < planes && plane <= last + 1) {
                const T* const at = plane_of(from, plane);
#pragma unroll
                for (int k = 0; k < copies; ++k)
                    if (source[k] >= 0) copy_to_shared(slot + k * Part::threads + thread, at + source[k]);
            }
            end_of_plane();
        };
        T *before = read, *here = read + Part::read_plane, *next = read + 2 * Part::read_plane, *free = read + (Part::planes_ahead + 2) * Part::read_plane;
        bring(first - 2, before);
        bring(first - 1, here);
#pragma unroll
        for (int k = 0; k < Part::planes_ahead; ++k) bring(first + k, read + (2 + k) * Part::read_plane);
        wait_for_copies<Part::planes_ahead>();
        __syncthreads();
#pragma unroll
        for (int r = 0; r < most; ++r) x_own[0][r] = before[in_read + r * Part::read_width], x_own[1][r] = here[in_read + r * Part::read_width];
        const int rounds = last - first + 3;
        for (int k0 = 0; k0 < rounds; k0 += 4) {
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const int plane = first - 1 + k0 + k;  // of the first step
                if (k0 + k >= rounds) break;
                wait_for_copies<Part::planes_ahead - 1>();
                if (k == 0)
                    terms.meet();
                else
                    __syncthreads();
                bring(plane + 1 + Part::planes_ahead, free);
#pragma unroll
                for (int r = 0; r < most; ++r) x_own[(k + 2) & 3][r] = next[in_read + r * Part::read_width];
                if (has_results && plane - 2 >= first) take_second(k, plane - 2);
                if (plane >= 0 && plane < planes && plane <= last) {
                    if (has_results)
                        take_first<most, true>(k, plane, before, here, next);
                    else
                        take_first<1, false>(k, plane, before, here, next);
                }
                free = before;
                before = here;
                here = next;
                next = next + Part::read_plane;
                if (next == read + Part::planes_read * Part::read_plane) next = read;
            }
        }
    }

private:
    Given const& given;
    Terms& terms;
    const T* const from;
    T* const to;
    U* const kept;
    const int planes, rows, columns;
    U* const between;  // four planes of the first step's results
    T* const read;     // planes of the elements that it reads
    const int first, last;    // planes of results
    const int row0, column0;  // of the first step

    static constexpr int most = Part::rows_of_thread;
    struct {
        int row, column, in_plane;
    } own;
    bool is_there[most], is_result[most];
    int in_read, in_between, row_above, row_below;
    // A thread's own elements of four planes.
    T x_own[4][most];
    U u_own[4][most];

    // The first step of plane q, in round k.
    template <int Rows, bool HasResults>
    __device__ void take_first(int k, int q, const T* before, const T* here, const T* next) {
        T x[Rows][27];
        U value[Rows];
        read_around<Part::read_width>(x, x_own, k, before + in_read, here + in_read, next + in_read, -Part::read_width, Rows * Part::read_width);
        take<first_call>(q, is_there, x, value);
#pragma unroll
        for (int r = 0; r < Rows; ++r) between[k * Part::plane + in_between + r * Part::width] = u_own[k][r] = value[r];
        if constexpr (Keeps && HasResults) {
            if (q < first || q >= last) return;
            U* const at = plane_of(kept, q);
#pragma unroll
            for (int r = 0; r < Rows; ++r)
                if (is_result[r]) at[own.in_plane + r * columns] = value[r];
        }
    }
    // The second step of plane p, from the first step's results in the three rounds before.
    __device__ void take_second(int k, int p) {
        U u[most][27];
        T value[most];
        const auto slot = [&](int of_round) { return between + ((k + of_round) & 3) * Part::plane + in_between; };
        read_around<Part::width>(u, u_own, k + 1, slot(1), slot(2), slot(3), row_above, row_below);
        take<second_call>(p, is_result, u, value);
        decltype(terms.term(place_of_element(p, 0, 0), u[0][13], value[0])) found[most];
        T* const at = plane_of(to, p);
#pragma unroll
        for (int r = 0; r < most; ++r)
            if (is_result[r]) {
                at[own.in_plane + r * columns] = value[r];
                found[r] = terms.term(place_of_element(p, own.row + r, own.column), u[r][13], value[r]);
            }
        terms.join_some(is_result, found, [&](int r) { return static_cast<index_t>(p) * (rows * columns) + own.in_plane + r * columns; });
    }
    // The address stays one number, to which 32 bits are added.
    template <class E>
    __device__ E* plane_of(E* array, int plane) const {
        E* at = array + static_cast<index_t>(plane) * (rows * columns);
        asm volatile("" : "+l"(at));
        return at;
    }
    __device__ box_place<3> place_of_element(int plane, int row, int column) const {
        return {(static_cast<index_t>(plane) * rows + row) * columns + column, {plane, row, column}, {planes, rows, columns}};
    }
    // The elements around those of a thread, of three planes: its own of plane k and the next two are known. Of the rows beside its own, the places are given.
    template <int Width, class E, int Rows>
    __device__ static void read_around(E (&around)[Rows][27], const E (&of_thread)[4][most], int k, const E* before, const E* here, const E* next, int above, int below) {
        const E* const of_plane[] = {before, here, next};
#pragma unroll
        for (int r = 0; r < Rows; ++r)
#pragma unroll
            for (int n = 0; n < 27; ++n) {
                const int plane = n / 9, down = r + n / 3 % 3 - 1, across = n % 3 - 1;
                around[r][n] = across == 0 && down >= 0 && down < Rows ? of_thread[(k + plane) & 3][down] : of_plane[plane][(down < 0 ? above : down < Rows ? down * Width : below) + across];
            }
        asm volatile("" ::: "memory");  // the compiler may not move reads behind a test of the node
    }
    // A step of a thread's rows.
    template <class Call, int Rows, class From, class To>
    __device__ void take(int plane, const bool (&which)[most], const From (&around)[Rows][27], To (&result)[Rows]) const {
#pragma unroll
        for (int r = 0; r < Rows; ++r)
            if (which[r]) Call::run(place_of_element(plane, own.row + r, own.column), given, typename Call::around{around[r] + 13, sides_of_element(plane, own.row + r, own.column)}, result[r]);
#pragma unroll
        for (int r = 0; r < Rows; ++r) keep_apart(result[r]);
    }
    // As a place in a box that ends beside the element, or is far from ending: the same in most rounds.
    __device__ box_place<3> sides_of_element(int plane, int row, int column) const {
        constexpr index_t far = 1 << 20;
        const index_t p = plane == 0 ? 0 : far, r = row == 0 ? 0 : far, c = column == 0 ? 0 : far;
        return {0, {p, r, c}, {p + 1 + (plane + 1 == planes ? 0 : far), r + 1 + (row + 1 == rows ? 0 : far), c + 1 + (column + 1 == columns ? 0 : far)}};
    }
};

}  // namespace cograph::core
