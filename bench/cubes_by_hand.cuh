// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lowering.cuh"

// Jacobi's method over a cube of doubles whose edges are fixed, written by hand: a kernel each step, and one kernel that
// keeps the cube on chip. Threads march through planes.
namespace cubes_by_hand {

__device__ inline double mean(double above, double below, double up, double down, double left, double right) { return (1.0 / 6) * (((above + below) + (up + down)) + (left + right)); }

// A thread's column of elements, `deep` planes from `first`. Gives the largest change.
template <int Deep>
__device__ double march(int n, const double* from, double* to, int first, int row, int column) {
    const bool inner = row > 0 && row < n - 1 && column > 0 && column < n - 1;
    const int plane = n * n;
    const double* at = from + (std::size_t(first) * n + row) * n + column;
    double* out = to + (at - from);
    double above = first > 0 ? at[-plane] : 0, own = *at, change = 0;
#pragma unroll 4
    for (int p = first; p < first + Deep; ++p, at += plane, out += plane) {
        const double below = p < n - 1 ? at[plane] : 0;
        double value = own;
        if (inner && p > 0 && p < n - 1) value = mean(above, below, at[-n], at[n], at[-1], at[1]);
        *out = value;
        change = fmax(change, fabs(value - own));
        above = own;
        own = below;
    }
    return change;
}

// With a place for the largest change: doubles that are not negative are in the order of their bits.
template <int Deep, bool Tests>
__global__ void __launch_bounds__(256) one_step(int n, const double* from, double* to, unsigned long long* largest) {
    const double change =
        march<Deep>(n, from, to, static_cast<int>(blockIdx.z) * Deep, static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y), static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x));
    if constexpr (Tests) {
        __shared__ unsigned long long of_warps[8];
        const auto larger = [](unsigned long long a, unsigned long long b) { return a > b ? a : b; };
        auto word = static_cast<unsigned long long>(__double_as_longlong(change));
        for (int by = 16; by > 0; by /= 2) word = larger(word, __shfl_xor_sync(~0u, word, by));
        if (threadIdx.x == 0) of_warps[threadIdx.y] = word;
        __syncthreads();
        if (threadIdx.x != 0 || threadIdx.y != 0) return;
        for (const unsigned long long other : of_warps) word = larger(word, other);
        if (word > *largest) atomicMax(largest, word);
    }
}

// A graph of a kernel each step; the last result is in `a` if the number of steps is even. Every fourth finds the largest change if there is a place for it.
template <int Deep>
struct nodes : by_hand::graph {
    nodes(int n, int steps, double* a, double* b, unsigned long long* largest = nullptr) {
        const unsigned side = static_cast<unsigned>(n);
        const by_hand::shape shape{dim3(side / 32, side / 8, side / Deep), dim3(32, 8)};
        cudaGraphNode_t last = nullptr;
        for (int step = 0; step < steps; ++step) {
            const auto kernel = largest && step % 4 == 3 ? one_step<Deep, true> : one_step<Deep, false>;
            last = by_hand::add_kernel(handle, step > 0 ? by_hand::nodes(last) : by_hand::nodes(), kernel, shape, n, step % 2 ? b : a, step % 2 ? a : b, largest);
        }
        instantiate();
    }
};

// A block keeps Deep planes of Warps rows of 32 columns in shared memory, with the elements around them. Those come from six blocks, through memory.
struct on_chip_arguments {
    int n, steps;
    const double* from;
    double* to;
    double* faces;    // twice: those between planes and rows at their places of a cube
    double* columns;  // twice two times: those between columns, side by side
    unsigned* flags;
};
template <int Warps, int Deep>
__global__ void __launch_bounds__(Warps * 32, 1) on_chip_steps(on_chip_arguments given) {
    constexpr int threads = Warps * 32, wide = 34, plane = wide * (Warps + 2);
    extern __shared__ double image[];
    const int n = given.n, across = n / 32, down = n / Warps, deep = n / Deep, block = static_cast<int>(blockIdx.x);
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int at_x = block % across, at_y = block / across % down, at_z = block / (across * down);
    const int first_plane = at_z * Deep, row = at_y * Warps + warp, column = at_x * 32 + lane, side = n * n;
    const std::size_t count = std::size_t(n) * n * n, of_columns = std::size_t(across) * n * n;
    double* const own = image + plane + (warp + 1) * wide + lane + 1;
    const auto place = [&](int p, int r, int c) { return (std::size_t(p) * n + r) * n + c; };
    const bool inner = row > 0 && row < n - 1 && column > 0 && column < n - 1;
    for (int at = static_cast<int>(threadIdx.x); at < plane * (Deep + 2); at += threads) {
        const int p = first_plane + at / plane - 1, r = at_y * Warps + at / wide % (Warps + 2) - 1, c = at_x * 32 + at % wide - 1;
        image[at] = p >= 0 && p < n && r >= 0 && r < n && c >= 0 && c < n ? given.from[place(p, r, c)] : 0;
    }
    __syncthreads();
    for (int step = 0; step < given.steps; ++step) {
        double* const faces = given.faces + (step & 1) * count;
        double* const left_of = given.columns + (step & 1) * 2 * of_columns;
        double* const right_of = left_of + of_columns;
        double next[Deep];
        double above = own[-plane], here = own[0];
#pragma unroll
        for (int p = 0; p < Deep; ++p) {
            const double* const at = own + p * plane;
            const double below = at[plane];
            const bool changes = inner && (p > 0 || at_z > 0) && (p < Deep - 1 || at_z < deep - 1);
            const double value = mean(above, below, at[-wide], at[wide], at[-1], at[1]);
            next[p] = changes ? value : here;
            above = here;
            here = below;
        }
        int here_in_faces = (first_plane * n + row) * n + column, here_in_columns = (at_x * n + first_plane) * n + row;
        asm volatile("" : "+r"(here_in_faces), "+r"(here_in_columns));  // addresses of all planes would not fit into registers
        faces[here_in_faces] = next[0];
        faces[here_in_faces + (Deep - 1) * side] = next[Deep - 1];
        if (warp == 0 || warp == Warps - 1) {
            double* to = faces + here_in_faces;
#pragma unroll
            for (int p = 1; p < Deep - 1; ++p) *(to += side) = next[p];
        }
        if (lane == 0 || lane == 31) {
            double* to = (lane == 0 ? left_of : right_of) + here_in_columns;
#pragma unroll
            for (int p = 0; p < Deep; ++p, to += n) *to = next[p];
        }
        __syncthreads();
        if (threadIdx.x == 0) asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(given.flags + 16 * block), "r"(step + 1) : "memory");
#pragma unroll
        for (int p = 0; p < Deep; ++p) own[p * plane] = next[p];
        if (threadIdx.x < 6) {
            const int which = static_cast<int>(threadIdx.x), by = which % 2 ? 1 : -1;
            const bool there = which < 2 ? at_x + by >= 0 && at_x + by < across : which < 4 ? at_y + by >= 0 && at_y + by < down : at_z + by >= 0 && at_z + by < deep;
            const int other = block + by * (which < 2 ? 1 : which < 4 ? across : across * down);
            unsigned seen = static_cast<unsigned>(step) + 1;
            if (there) do {
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(given.flags + 16 * other) : "memory");
            } while (seen < static_cast<unsigned>(step) + 1);
        }
        __syncthreads();
        constexpr int rows_each = 2 * Deep / Warps, columns_each = 2 * Deep * Warps / threads;
        double planes[2], rows[rows_each], columns[columns_each];
        planes[0] = at_z > 0 ? __ldcg(faces + place(first_plane - 1, row, column)) : 0;
        planes[1] = at_z < deep - 1 ? __ldcg(faces + place(first_plane + Deep, row, column)) : 0;
#pragma unroll
        for (int i = 0; i < rows_each; ++i) {
            const int p = (i * Warps + warp) / 2, r = warp % 2 ? (at_y + 1) * Warps : at_y * Warps - 1;
            rows[i] = r >= 0 && r < n ? __ldcg(faces + place(first_plane + p, r, column)) : 0;
        }
#pragma unroll
        for (int i = 0; i < columns_each; ++i) {
            const int at = i * threads + static_cast<int>(threadIdx.x), r = at % Warps, p = at / Warps % Deep, right = at / (Warps * Deep);
            const double* const of = (right ? left_of : right_of) + (std::size_t(right ? at_x + 1 : at_x - 1) * n + first_plane + p) * n + at_y * Warps + r;
            columns[i] = (right ? at_x < across - 1 : at_x > 0) ? __ldcg(of) : 0;
        }
        own[-plane] = planes[0];
        own[Deep * plane] = planes[1];
#pragma unroll
        for (int i = 0; i < rows_each; ++i) image[((i * Warps + warp) / 2 + 1) * plane + (warp % 2 ? Warps + 1 : 0) * wide + lane + 1] = rows[i];
#pragma unroll
        for (int i = 0; i < columns_each; ++i) {
            const int at = i * threads + static_cast<int>(threadIdx.x), r = at % Warps, p = at / Warps % Deep, right = at / (Warps * Deep);
            image[(p + 1) * plane + (r + 1) * wide + (right ? 33 : 0)] = columns[i];
        }
        __syncthreads();
    }
    for (int p = 0; p < Deep; ++p) given.to[place(first_plane + p, row, column)] = own[p * plane];
}
template <int Warps, int Deep>
class on_chip {
public:
    on_chip(int n, int steps, const double* from, double* to)
        : count(std::size_t(n) * n * n), faces(2 * count), columns(4 * count / 32), flags(16 * count / (32 * Warps * Deep)), given{n, steps, from, to, faces.data, columns.data, flags.data} {
        bench::check(cudaFuncSetAttribute(on_chip_steps<Warps, Deep>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    }
    void launch(cudaStream_t stream) {
        bench::check(cudaMemsetAsync(flags.data, 0, flags.count * sizeof(unsigned), stream));
        void* parameters[] = {&given};
        bench::check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&on_chip_steps<Warps, Deep>), dim3(static_cast<unsigned>(count / (32 * Warps * Deep))), dim3(Warps * 32), parameters, bytes, stream));
    }

private:
    static constexpr int bytes = 34 * (Warps + 2) * (Deep + 2) * static_cast<int>(sizeof(double));
    std::size_t count;
    bench::device_array<double> faces, columns;
    bench::device_array<unsigned> flags;
    on_chip_arguments given;
};

}  // namespace cubes_by_hand
