// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lowering.cuh"

// PageRank by hand: kernels for a loop on the host, and one persistent kernel whose threads keep their edges in registers.
namespace ranks_by_hand {

constexpr int threads = 1024, of_thread = 16, most_rows = 8192, most_blocks = 160;

__device__ inline double warp_sum(double value) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(~0u, value, offset);
    return value;
}
// The sum of a block's threads, in its first warp.
__device__ inline double block_sum(double value, double* of_warps) {
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) value = warp_sum(threadIdx.x < blockDim.x / 32 ? of_warps[threadIdx.x] : 0.0);
    return value;
}

// For the host's loop: a warp for each vertex; sums[0] is the change, sums[1] what is at ends.
__global__ void start(int n, const double* per_edge, double* rank, double* share, double* sums) {
    __shared__ double of_warps[32];
    const int v = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    double lost = 0;
    if (v < n) {
        rank[v] = 1.0 / n;
        share[v] = rank[v] * per_edge[v];
        if (per_edge[v] == 0) lost = rank[v];
    }
    lost = block_sum(lost, of_warps);
    if (threadIdx.x == 0) atomicAdd(sums + 1, lost);
}
__global__ void pass(int n, const int* first, const int* from, const double* per_edge, const double* share, double* rank, double* next, const double* sums, double* next_sums, double damping) {
    __shared__ double changes[32], at_ends[32];
    const int lane = threadIdx.x % 32, warps = static_cast<int>(gridDim.x * blockDim.x / 32);
    double change = 0, lost = 0;
    for (int v = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32); v < n; v += warps) {
        double came = 0;
        for (int e = first[v] + lane; e < first[v + 1]; e += 32) came += share[from[e]];
        came = warp_sum(came);
        if (lane == 0) {
            const double now = (1 - damping) / n + damping * (came + sums[1] / n);
            change += fabs(now - rank[v]);
            rank[v] = now;
            next[v] = now * per_edge[v];
            if (per_edge[v] == 0) lost += now;
        }
    }
    change = block_sum(change, changes);
    lost = block_sum(lost, at_ends);
    if (threadIdx.x == 0) {
        atomicAdd(next_sums, change);
        atomicAdd(next_sums + 1, lost);
    }
}

struct arguments {
    int n, m, own, most;
    const int *first, *from;
    const double* per_edge;
    double *rank, *share, *carry;  // share: two of n
    double2* sums;                 // two of each block
    unsigned* arrived;             // and, 32 words on, a flag for each block
    int* passes;
    double damping, tolerance;
};
struct shared_memory {
    double of_warps[2][32], all[2], open[32];
    unsigned ends[32];
    int rows, blocks_before, counts[32];
    int id[most_rows];
    double sum[most_rows], rank[most_rows];
};

__device__ inline double2 grid_sum(double a, double b, double2* sums, lowering::grid_barrier& all, shared_memory& s) {
    a = block_sum(a, s.of_warps[0]);
    b = block_sum(b, s.of_warps[1]);
    if (threadIdx.x == 0) __stcg(sums + blockIdx.x, double2{a, b});
    all.wait();
    if (threadIdx.x < 32) {
        a = b = 0;
        for (unsigned block = threadIdx.x; block < gridDim.x; block += 32) {
            const double2 v = __ldcg(sums + block);
            a += v.x;
            b += v.y;
        }
        a = warp_sum(a);
        b = warp_sum(b);
        if (threadIdx.x == 0) s.all[0] = a, s.all[1] = b;
    }
    __syncthreads();
    return {s.all[0], s.all[1]};
}
__device__ inline int highest(unsigned bits) { return bits ? 31 - __clz(static_cast<int>(bits)) : 0; }

// Edges are dealt evenly; a row that crosses blocks is finished by the block where it ends, which waits for the shares of those before it.
__global__ void __launch_bounds__(threads, 1) persistent(arguments a) {
    extern __shared__ __align__(16) unsigned char memory[];
    shared_memory& s = *reinterpret_cast<shared_memory*>(memory);
    const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32, block = static_cast<int>(blockIdx.x), blocks = static_cast<int>(gridDim.x);
    const int edges = ((a.m + blocks - 1) / blocks + of_thread - 1) / of_thread * of_thread;
    const int begin = min(a.n, block * a.own), end = min(a.n, begin + a.own);
    const int last = min(a.m, (block + 1) * edges), own = min(last, block * edges + t * of_thread), count = min(of_thread, last - own);
    lowering::grid_barrier all{a.arrived};
    unsigned ends = 0;
    int id[of_thread];
    if (t == 0) s.blocks_before = 0;
    __syncthreads();
    int row = 0;
    if (count > 0) {
        int low = 0, high = a.n;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (a.first[middle] <= own)
                low = middle;
            else
                high = middle;
        }
        row = low;
    }
    const int first_row = row;
#pragma unroll
    for (int k = 0; k < of_thread; ++k) {
        id[k] = k < count ? a.from[own + k] : -1;
        if (k < count) {
            while (a.first[row + 1] <= own + k) ++row;
            if (a.first[row + 1] == own + k + 1) ends |= 1u << k;
        }
    }
    int before = __popc(ends);  // rows that end in threads before this one
#pragma unroll
    for (int offset = 1; offset < 32; offset *= 2) {
        const int below = __shfl_up_sync(~0u, before, offset);
        if (lane >= offset) before += below;
    }
    if (lane == 31) s.counts[warp] = before;
    __syncthreads();
    int local = before - __popc(ends);
    for (int w = 0; w < warp; ++w) local += s.counts[w];
    if (t == threads - 1) s.rows = local + __popc(ends);
    row = first_row;
    int at = local;
    for (int k = 0; k < count; ++k) {
        while (a.first[row + 1] <= own + k) ++row;
        if (!(ends >> k & 1)) continue;
        s.id[at] = row;
        s.rank[at] = 1.0 / a.n;
        if (at == 0 && a.first[row] < block * edges) s.blocks_before = block - a.first[row] / edges;
        ++at;
    }
    double change = 0, lost = 0;
    for (int v = begin + t; v < end; v += threads) {
        a.share[v] = 1.0 / a.n * a.per_edge[v];
        if (a.per_edge[v] == 0) lost += 1.0 / a.n;
    }
    double2 sum = grid_sum(change, lost, a.sums + blocks, all, s);
    double base_before = 1.0 / a.n;
    for (int pass = 0;;) {
        const double* const share = a.share + (pass & 1 ? a.n : 0);
        double* const next = a.share + (pass & 1 ? 0 : a.n);
        const double base = (1 - a.damping) / a.n + a.damping * sum.y / a.n;
        double open = 0, head = 0;
        bool is_first = true;
        at = local;
#pragma unroll
        for (int half = 0; half < of_thread; half += 8) {
            double value[8];
#pragma unroll
            for (int k = 0; k < 8; ++k) value[k] = id[half + k] >= 0 ? share[id[half + k]] : 0;
#pragma unroll
            for (int k = 0; k < 8; ++k) {
                open += value[k];
                if (!(ends >> (half + k) & 1)) continue;
                if (is_first)
                    head = open;
                else
                    s.sum[at] = open;
                is_first = false;
                ++at;
                open = 0;
            }
        }
        const unsigned with = __ballot_sync(~0u, ends != 0), upto = lane == 31 ? ~0u : (2u << lane) - 1, below = (1u << lane) - 1;
        const int start = highest(with & upto);
#pragma unroll
        for (int offset = 1; offset < 32; offset *= 2) {
            const double left = __shfl_up_sync(~0u, open, offset);
            if (lane - offset >= start) open += left;
        }
        double into = __shfl_up_sync(~0u, open, 1);
        if (lane == 0) into = 0;
        if (lane == 31) {
            s.open[warp] = open;
            s.ends[warp] = with != 0;
        }
        __syncthreads();
        const double of_warp = s.open[lane];
        const unsigned ended = __ballot_sync(~0u, s.ends[lane] != 0);
        const int from_warp = highest(ended & ((1u << warp) - 1));
        const double carried = warp_sum(lane >= from_warp && lane < warp ? of_warp : 0.0);
        if ((with & below) == 0) into += carried;
        if (ends) s.sum[local] = head + into;
        if (warp == 31) {
            const double left = warp_sum(lane >= highest(ended) ? of_warp : 0.0);
            if (lane == 0) {
                __stcg(a.carry + block, left);
                asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(a.arrived + 32 + block), "r"(pass + 1) : "memory");
            }
        }
        __syncthreads();
        change = lost = 0;
        const auto update = [&](int v, double now, double old) {
            change += fabs(now - old);
            next[v] = now * a.per_edge[v];
            if (a.per_edge[v] == 0) lost += now;
        };
        for (int i = t; i < s.rows; i += threads) {
            double came = s.sum[i];
            for (int k = i == 0 ? s.blocks_before : 0; k > 0; --k) {
                unsigned seen;
                do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(a.arrived + 32 + block - k) : "memory");
                while (seen < static_cast<unsigned>(pass) + 1);
                came += __ldcg(a.carry + block - k);
            }
            const double now = base + a.damping * came;
            update(s.id[i], now, s.rank[i]);
            s.rank[i] = now;
        }
        for (int v = begin + t; v < end; v += threads)
            if (a.first[v] == a.first[v + 1]) update(v, base, base_before);
        base_before = base;
        ++pass;
        sum = grid_sum(change, lost, a.sums + (pass & 1 ? 0 : blocks), all, s);
        if (sum.x > a.tolerance && pass < a.most) continue;
        if (block == 0 && t == 0) *a.passes = pass;
        for (int i = t; i < s.rows; i += threads) a.rank[s.id[i]] = s.rank[i];
        for (int v = begin + t; v < end; v += threads)
            if (a.first[v] == a.first[v + 1]) a.rank[v] = base;
        break;
    }
}

}  // namespace ranks_by_hand
