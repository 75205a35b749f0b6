// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jacobi_on_chip.cuh"

// The same method by hand, four steps at a time: a block also computes four elements around its tile, and needs those of other blocks only after four
// steps. Each element that blocks exchange has the number of its turn beside each of its halves, so readers wait for the element itself.
namespace on_chip_by_hand {

constexpr int ghost = 4;

struct alignas(16) numbered_element {
    word low, high;

    __device__ void put(double value, unsigned number) {
        const word bits = static_cast<word>(__double_as_longlong(value)), beside = word{number} << 32;
        asm volatile("st.relaxed.gpu.global.v2.b64 [%0], {%1, %2};" ::"l"(this), "l"((bits & 0xffffffff) | beside), "l"(bits >> 32 | beside) : "memory");
    }
    __device__ bool get(double& value, unsigned number) const {
        word first, second;
        asm volatile("ld.relaxed.gpu.global.v2.b64 {%0, %1}, [%2];" : "=l"(first), "=l"(second) : "l"(this) : "memory");
        value = __longlong_as_double(static_cast<long long>((first & 0xffffffff) | second << 32));
        return static_cast<unsigned>(first >> 32) == number && static_cast<unsigned>(second >> 32) == number;
    }
};

struct arguments_in_fours {
    const double* from;
    double* to;
    int n, across, steps;
    unsigned first_number;    // of a turn; each launch has others
    numbered_element* all;    // of the square, twice
    double tolerance;
    word* most;               // by turns of three
    unsigned* arrived;
    int* done;
};

// The first rows of a thread are in registers, the others in shared memory. Tests: the largest change of every fourth step.
template <int Columns, int Rows, int RowsInMemory, int Warps>
constexpr int bytes_in_fours = 8 * (RowsInMemory * Columns * Warps * 32 + 2 * Warps * 2 * 32 * Columns + 2 * ghost * 32 * Columns + 2 * (Warps * (Rows + RowsInMemory) - 2 * ghost) * ghost);
template <int Columns, int Rows, int RowsInMemory, int Warps, bool Tests>
__global__ void __launch_bounds__(Warps * 32, 1) sweeps_in_fours(arguments_in_fours given) {
    constexpr int rows = Rows + RowsInMemory, height = Warps * rows, width = 32 * Columns, threads = Warps * 32;
    constexpr int own_height = height - 2 * ghost, own_width = width - 2 * ghost, around = 2 * ghost * width + 2 * own_height * ghost;
    extern __shared__ double memory[];
    __shared__ word found[Warps];
    double* const of_threads = memory;
    double* const of_warps = of_threads + RowsInMemory * Columns * threads;
    double* const ring = of_warps + 2 * Warps * 2 * width;
    const int n = given.n, thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
    const int at_x = static_cast<int>(blockIdx.x) % given.across, at_y = static_cast<int>(blockIdx.x) / given.across;
    const int in_tile_y = warp * rows, in_tile_x = lane * Columns, top = at_y * own_height - ghost, left_side = at_x * own_width - ghost;
    double own[Rows][Columns] = {};  // the compiler does not see that all are set
    lowering::grid_barrier everyone{given.arrived};

    const auto edge = [&](int turn, int of_warp, int last) { return of_warps + ((turn * Warps + of_warp) * 2 + last) * width + in_tile_x; };
    const auto read = [&](int r, int c) { return r < Rows ? own[r < Rows ? r : 0][c] : of_threads[((r - Rows) * Columns + c) * threads + thread]; };
    const auto write = [&](int r, int c, double value) {
        if (r < Rows)
            own[r < Rows ? r : 0][c] = value;
        else
            of_threads[((r - Rows) * Columns + c) * threads + thread] = value;
    };
    const auto exists = [&](int i, int j) { return i >= 0 && i < n && j >= 0 && j < n; };

    unsigned inner = 0, own_columns = 0, at_sides = 0;  // a bit for each column
#pragma unroll
    for (int c = 0; c < Columns; ++c) {
        const int x = in_tile_x + c, j = left_side + x;
        const bool is_own = j >= 0 && j < n && x >= ghost && x < width - ghost;
        inner |= static_cast<unsigned>(j > 0 && j < n - 1) << c;
        own_columns |= static_cast<unsigned>(is_own) << c;
        at_sides |= static_cast<unsigned>(is_own && (x < 2 * ghost || x >= width - 2 * ghost)) << c;
    }
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            const int i = top + in_tile_y + r, j = left_side + in_tile_x + c;
            const double value = exists(i, j) ? given.from[std::size_t(i) * n + j] : 0;
            write(r, c, value);
            if (r == 0) edge(0, warp, 0)[c] = value;
            if (r == rows - 1) edge(0, warp, 1)[c] = value;
        }
    __syncthreads();
    int step = 0, tests = 0;
    for (;;) {
        const bool is_last = (step + 1) % ghost == 0;
        const unsigned number = given.first_number + static_cast<unsigned>(step / ghost);
        numbered_element* const all = given.all + (number & 1) * std::size_t(n) * n;
        int first_row = top + in_tile_y, first_column = left_side + in_tile_x, y = in_tile_y;
        asm volatile("" : "+r"(first_row), "+r"(first_column), "+r"(y));  // else the addresses of all elements are kept from step to step
        double above[Columns], below[Columns], row[Columns], next_row[Columns], most = 0;
#pragma unroll
        for (int c = 0; c < Columns; ++c) {  // any for the outermost rows
            above[c] = edge(step & 1, warp > 0 ? warp - 1 : 0, 1)[c];
            below[c] = edge(step & 1, warp < Warps - 1 ? warp + 1 : Warps - 1, 0)[c];
            row[c] = read(0, c);
        }
#pragma unroll
        for (int r = 0; r < rows; ++r) {
#pragma unroll
            for (int c = 0; c < Columns; ++c) next_row[c] = r + 1 < rows ? read(r + 1, c) : below[c];
            const double left = __shfl_up_sync(~0u, row[Columns - 1], 1), right = __shfl_down_sync(~0u, row[0], 1);
            const int i = first_row + r;
            const bool is_own_row = y + r >= ghost && y + r < height - ghost && i >= 0 && i < n;
            const unsigned changes = i > 0 && i < n - 1 ? inner : 0;
            double value[Columns];
#pragma unroll
            for (int c = 0; c < Columns; ++c) {
                const double mean = 0.25 * ((above[c] + next_row[c]) + ((c > 0 ? row[c > 0 ? c - 1 : 0] : left) + (c < Columns - 1 ? row[c < Columns - 1 ? c + 1 : c] : right)));
                value[c] = changes >> c & 1 ? mean : row[c];
            }
            if (is_last) {
                if constexpr (Tests)
#pragma unroll
                    for (int c = 0; c < Columns; ++c)
                        if (is_own_row && (own_columns >> c & 1)) most = fmax(most, fabs(value[c] - row[c]));
                if (const unsigned sent = !is_own_row ? 0 : y + r < 2 * ghost || y + r >= height - 2 * ghost ? own_columns : at_sides)
#pragma unroll
                    for (int c = 0; c < Columns; ++c)
                        if (sent >> c & 1) all[std::size_t(i) * n + first_column + c].put(value[c], number);
            }
#pragma unroll
            for (int c = 0; c < Columns; ++c) {
                write(r, c, value[c]);
                if (!is_last && r == 0) edge(step & 1 ^ 1, warp, 0)[c] = value[c];
                if (!is_last && r == rows - 1) edge(step & 1 ^ 1, warp, 1)[c] = value[c];
                above[c] = row[c];
                row[c] = next_row[c];
            }
        }
        ++step;
        if (!is_last) {
            __syncthreads();
            continue;
        }
        if constexpr (Tests) {
            join_largest(most, found, given.most, tests);
            everyone.wait();
        }
        // Four reads of a thread are on their way together.
        for (int first = thread; first < around; first += 4 * threads) {
            const numbered_element* from[4];
            bool is_there[4];
            double value[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const int at = first + k * threads, at_column = at - 2 * ghost * width, side = at_column / (own_height * ghost), within = at_column % (own_height * ghost);
                const int i = top + (at_column < 0 ? (at < ghost * width ? at / width : height - 2 * ghost + at / width) : ghost + within / ghost);
                const int j = left_side + (at_column < 0 ? at % width : (side == 0 ? 0 : width - ghost) + within % ghost);
                is_there[k] = at < around && exists(i, j);
                from[k] = all + (is_there[k] ? std::size_t(i) * n + j : 0);
                value[k] = 0;
            }
            bool arrived;
            do {
                arrived = true;
#pragma unroll
                for (int k = 0; k < 4; ++k)
                    if (is_there[k]) arrived &= from[k]->get(value[k], number);
            } while (!arrived);
#pragma unroll
            for (int k = 0; k < 4; ++k)
                if (first + k * threads < around) ring[first + k * threads] = value[k];
        }
        __syncthreads();
        asm volatile("" : "+r"(first_row), "+r"(first_column), "+r"(y));
#pragma unroll
        for (int r = 0; r < rows; ++r)
#pragma unroll
            for (int c = 0; c < Columns; ++c) {
                const int yr = y + r, x = in_tile_x + c;
                const bool is_row = yr < ghost || yr >= height - ghost;
                double value = read(r, c);
                if (exists(first_row + r, first_column + c) && (is_row || x < ghost || x >= width - ghost)) {
                    value = ring[yr < ghost             ? yr * width + x
                                 : yr >= height - ghost ? ghost * width + (yr - (height - ghost)) * width + x
                                 : x < ghost            ? 2 * ghost * width + (yr - ghost) * ghost + x
                                                        : 2 * ghost * width + own_height * ghost + (yr - ghost) * ghost + x - (width - ghost)];
                    write(r, c, value);
                }
                if (r == 0) edge(step & 1, warp, 0)[c] = value;
                if (r == rows - 1) edge(step & 1, warp, 1)[c] = value;
            }
        double change = 1;
        if constexpr (Tests) change = __longlong_as_double(static_cast<long long>(__ldcg(given.most + tests % 3)));
        ++tests;
        __syncthreads();
        if (step >= given.steps || change <= given.tolerance) break;
    }
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            const int y = in_tile_y + r, i = top + y;
            if (i >= 0 && i < n && y >= ghost && y < height - ghost && (own_columns >> c & 1)) given.to[std::size_t(i) * n + left_side + in_tile_x + c] = read(r, c);
        }
    if (blockIdx.x == 0 && thread == 0) *given.done = step;
}

// Launches it for a square. Steps: a multiple of four.
template <int Columns, int Rows, int RowsInMemory, int Warps, bool Tests>
class loop_in_fours {
public:
    loop_in_fours(int n, int steps, const double* from, double* to)
        : all(std::size_t{2} * static_cast<std::size_t>(n) * static_cast<std::size_t>(n)), most(3), arrived(1), done(1),
          given{from, to, n, tiles(n, 32 * Columns), steps, 1, all.data, -1, most.data, arrived.data, done.data}, blocks(tiles(n, 32 * Columns) * tiles(n, Warps * (Rows + RowsInMemory))) {
        bench::check(cudaMemset(all.data, 0, 2 * static_cast<std::size_t>(n) * static_cast<std::size_t>(n) * sizeof(numbered_element)));
        bench::check(cudaFuncSetAttribute(kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    }
    void launch(cudaStream_t stream) {
        bench::check(cudaMemsetAsync(most.data, 0, 3 * sizeof(word), stream));
        bench::check(cudaMemsetAsync(arrived.data, 0, sizeof(unsigned), stream));
        void* parameters[] = {&given};
        bench::check(cudaLaunchCooperativeKernel(kernel(), dim3(static_cast<unsigned>(blocks)), dim3(Warps * 32), parameters, shared, stream));
        given.first_number += static_cast<unsigned>(given.steps / ghost);
    }

private:
    static constexpr int shared = bytes_in_fours<Columns, Rows, RowsInMemory, Warps>;
    static const void* kernel() { return reinterpret_cast<const void*>(&sweeps_in_fours<Columns, Rows, RowsInMemory, Warps, Tests>); }
    static int tiles(int n, int side) { return (n + side - 2 * ghost - 1) / (side - 2 * ghost); }

    bench::device_array<numbered_element> all;
    bench::device_array<word> most;
    bench::device_array<unsigned> arrived;
    bench::device_array<int> done;
    arguments_in_fours given;
    int blocks;
};

}  // namespace on_chip_by_hand
