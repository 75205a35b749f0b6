// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lowering.cuh"

#include "../examples/shortest_paths/graph.hpp"

// Shortest paths by hand: as one persistent kernel, the best that we know, and by a host loop.
namespace paths_by_hand {

using shortest_paths::edge;
using shortest_paths::far_away;
using word = unsigned long long;

constexpr int threads = 1024;
constexpr int light = 32, heavy = 1024;  // up to so many edges: eight lanes; from so many: a block; between: a warp
constexpr int most_blocks = 264, bits = 21;  // three counts in one word

struct scan_room {
    word warp[32];
};
__device__ inline word one_of(int c) { return word{1} << (c * bits); }
__device__ inline int part_of(word v, int c) { return static_cast<int>(v >> (c * bits)) & ((1 << bits) - 1); }
__device__ inline int class_of(int degree) { return degree >= heavy ? 2 : degree > light ? 1 : 0; }
// Exclusive; ends with a barrier of the block.
__device__ inline word scan_block(word mine, scan_room& room, word& total) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    word v = mine;
#pragma unroll
    for (int o = 1; o < 32; o *= 2) {
        const word below = __shfl_up_sync(~0u, v, o);
        if (lane >= o) v += below;
    }
    if (lane == 31) room.warp[warp] = v;
    __syncthreads();
    if (warp == 0) {
        word x = lane < warps ? room.warp[lane] : 0;
#pragma unroll
        for (int o = 1; o < 32; o *= 2) {
            const word below = __shfl_up_sync(~0u, x, o);
            if (lane >= o) x += below;
        }
        room.warp[lane] = x;
    }
    __syncthreads();
    total = room.warp[warps - 1];
    const word before = warp ? room.warp[warp - 1] : 0;
    __syncthreads();
    return before + v - mine;
}
// Where the blocks' pieces of a list begin; piece b has its entries at b * own.
struct pieces {
    int begin[3][most_blocks + 1];
};
__device__ inline void read_pieces(const word* counts, pieces& p, scan_room& room) {
    word total;
    const int t = threadIdx.x, blocks = gridDim.x;
    const word at = scan_block(t < blocks ? __ldcg(counts + t) : 0, room, total);
    if (t < blocks)
        for (int c = 0; c < 3; ++c) p.begin[c][t] = part_of(at, c);
    if (t == 0)
        for (int c = 0; c < 3; ++c) p.begin[c][blocks] = part_of(total, c);
    __syncthreads();
}
__device__ inline int find(const int* begin, int blocks, int k, int own) {
    int low = 0, high = blocks;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (begin[middle] <= k ? low : high) = middle;
    }
    return low * own + k - begin[low];
}
// f(entry, first lane's number, lanes) for the entries of all classes.
template <class F>
__device__ void for_entries(const int4* list, int n, const pieces& p, int own, F f) {
    const int t = threadIdx.x, blocks = gridDim.x, b = blockIdx.x;
    for (int k = b; k < p.begin[2][blocks]; k += blocks) f(__ldcg(list + 2 * static_cast<std::size_t>(n) + find(p.begin[2], blocks, k, own)), t, static_cast<int>(blockDim.x));
    const int warps = blocks * (blockDim.x / 32);
    for (int k = t / 32 * blocks + b; k < p.begin[1][blocks]; k += warps) f(__ldcg(list + n + find(p.begin[1], blocks, k, own)), t % 32, 32);
    for (int k = (t / 32 * blocks + b) * 4 + t % 32 / 8; k < p.begin[0][blocks]; k += warps * 4) f(__ldcg(list + find(p.begin[0], blocks, k, own)), t % 8, 8);
}
struct arguments {
    int n;
    const int* row;
    const int2* edges;
    unsigned* near;
    int4* list;  // three classes of n
    word* counts;
    unsigned* arrived;
    int* passes;
    int source, own;
};
struct shared_memory {
    scan_room scan;
    pieces p;
    unsigned seen[1];  // of the block's vertices
};
// In the order of the vertices: each block packs those of its own that came nearer, and looks up the others' totals. Two barriers a pass.
template <int PerMultiprocessor>
__global__ void __launch_bounds__(threads, PerMultiprocessor) persistent(arguments a) {
    extern __shared__ char memory[];
    shared_memory& s = *reinterpret_cast<shared_memory*>(memory);
    const int t = threadIdx.x, b = blockIdx.x, blocks = gridDim.x, n = a.n, from = min(n, b * a.own), to = min(n, from + a.own);
    lowering::grid_barrier all{a.arrived};
    for (int v = from + t; v < to; v += threads) {
        __stcg(a.near + v, v == a.source ? 0 : far_away);
        s.seen[v - from] = far_away;
    }
    for (int pass = 0;; ++pass) {
        word so_far = 0;
        for (int base = from; base < to; base += threads) {
            const int v = base + t;
            bool nearer = false;
            unsigned d = 0;
            int begin = 0, end = 0;
            if (v < to) {
                d = __ldcg(a.near + v);
                begin = __ldg(a.row + v);
                end = __ldg(a.row + v + 1);
                nearer = d < s.seen[v - from];
                s.seen[v - from] = d;
            }
            const int c = class_of(end - begin);
            const bool goes = nearer && end > begin;
            word total;
            const word at = so_far + scan_block(goes ? one_of(c) : 0, s.scan, total);
            if (goes) __stcg(a.list + static_cast<std::size_t>(c) * n + from + part_of(at, c), make_int4(begin, end, static_cast<int>(d), v));
            so_far += total;
        }
        if (t == 0) __stcg(a.counts + b, so_far);
        all.wait();
        read_pieces(a.counts, s.p, s.scan);
        if (s.p.begin[0][blocks] + s.p.begin[1][blocks] + s.p.begin[2][blocks] == 0) {
            if (b == 0 && t == 0) *a.passes = pass;
            break;
        }
        for_entries(a.list, n, s.p, a.own, [&](int4 e, int lane, int lanes) {
#pragma unroll 4
            for (int k = e.x + lane; k < e.y; k += lanes) {
                const int2 way = __ldg(a.edges + k);
                const unsigned d = static_cast<unsigned>(e.z) + static_cast<unsigned>(way.y);
                if (d < a.near[way.x]) atomicMin(a.near + way.x, d);  // what the first-level cache holds is at most too great
            }
        });
        all.wait();
    }
}

// A host loop: of each pass, three kernels and how many vertices came nearer, copied back.
constexpr int small = 256;
__global__ void __launch_bounds__(small) begin_at(int n, unsigned* near, unsigned* seen, int source) {
    const int v = static_cast<int>(blockIdx.x) * small + static_cast<int>(threadIdx.x);
    if (v < n) near[v] = v == source ? 0 : far_away, seen[v] = far_away;
}
__global__ void __launch_bounds__(small) count(int n, const int* row, const unsigned* near, const unsigned* seen, int* of_blocks) {
    const int v = static_cast<int>(blockIdx.x) * small + static_cast<int>(threadIdx.x);
    const int all = __syncthreads_count(v < n && near[v] < seen[v] && row[v] < row[v + 1]);
    if (threadIdx.x == 0) of_blocks[blockIdx.x] = all;
}
__global__ void __launch_bounds__(threads) add_up(int blocks, int* of_blocks, int* total) {
    __shared__ scan_room room;
    word so_far = 0;
    for (int base = 0; base < blocks; base += threads) {
        const int b = base + static_cast<int>(threadIdx.x);
        word all;
        const word before = so_far + scan_block(b < blocks ? static_cast<word>(of_blocks[b]) : 0, room, all);
        if (b < blocks) of_blocks[b] = static_cast<int>(before);
        so_far += all;
    }
    if (threadIdx.x == 0) *total = static_cast<int>(so_far);
}
__global__ void __launch_bounds__(small) write(int n, const int* row, const unsigned* near, unsigned* seen, const int* of_blocks, int* list) {
    __shared__ scan_room room;
    const int v = static_cast<int>(blockIdx.x) * small + static_cast<int>(threadIdx.x);
    const bool goes = v < n && near[v] < seen[v] && row[v] < row[v + 1];
    word total;
    const int at = of_blocks[blockIdx.x] + static_cast<int>(scan_block(goes, room, total));
    if (goes) list[at] = v, seen[v] = near[v];
}
// A warp for each vertex, and a block for those of many edges.
__global__ void __launch_bounds__(small) relax(const int* list, int found, const int* row, const int2* edges, unsigned* near, const unsigned* seen) {
    __shared__ int large[small / 32];
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    const auto offer = [&](int v, int lane, int lanes) {
        const unsigned d = seen[v];
        const int end = row[v + 1];
#pragma unroll 4
        for (int k = row[v] + lane; k < end; k += lanes) {
            const int2 way = __ldg(edges + k);
            if (d + static_cast<unsigned>(way.y) < near[way.x]) atomicMin(near + way.x, d + static_cast<unsigned>(way.y));
        }
    };
    const int k = static_cast<int>(blockIdx.x) * (small / 32) + static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    if (k < found) {
        const int v = list[k];
        if (row[v + 1] - row[v] < heavy)
            offer(v, lane, 32);
        else if (lane == 0)
            large[atomicAdd(&count, 1)] = v;
    }
    __syncthreads();
    for (int l = 0; l < count; ++l) offer(large[l], static_cast<int>(threadIdx.x), small);
}

}  // namespace paths_by_hand
