// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/stage.hpp>

namespace cograph::core {

// A warp's shuffle for any trivially copyable type, by 32-bit words.
template <class T>
__device__ T shuffle_down(T value, int offset) {
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned bits[words] = {};
    memcpy(bits, &value, sizeof(T));
    for (unsigned& word : bits) word = __shfl_down_sync(~0u, word, offset);
    memcpy(&value, bits, sizeof(T));
    return value;
}

// A barrier over a tile of reduce_layout::lanes threads; a block has up to four of them. Lanes of a warp may come from loops
// of different lengths.
__device__ inline void wait_for_tile() {
    __syncwarp();
    __barrier_sync_count(1 + threadIdx.x / reduce_layout::lanes, reduce_layout::lanes);
}

// The result over a tile, valid in its first thread. All threads of the tile call it.
template <class T, class Op>
__device__ T join_lanes(T value, T identity, Op const& op) {
    constexpr int warps = reduce_layout::lanes / 32;
    __shared__ alignas(T) char room[4 * warps * sizeof(T)];
    const int lane = threadIdx.x % reduce_layout::lanes;
    T* const of_warp = reinterpret_cast<T*>(room) + threadIdx.x / reduce_layout::lanes * warps;
    __syncwarp();
    for (int offset = 16; offset > 0; offset /= 2) value = op(value, shuffle_down(value, offset));
    if (lane % 32 == 0) of_warp[lane / 32] = value;
    wait_for_tile();
    if (lane < 32) {
        value = lane < warps ? of_warp[lane] : identity;
        for (int offset = warps / 2; offset > 0; offset /= 2) value = op(value, shuffle_down(value, offset));
    }
    wait_for_tile();
    return value;
}

template <class T, class Op, class Term>
__device__ T lane_sum(index_t begin, index_t end, T identity, Op const& op, Term const& term) {
    T sum = identity;
#pragma unroll 4
    for (index_t i = begin + threadIdx.x % reduce_layout::lanes; i < end; i += reduce_layout::lanes) sum = op(sum, term(i));
    return sum;
}

// A whole grid as an execution context: one thread, or one tile a chunk.
struct grid_context {
    template <class F>
    __device__ void once(F f) const {
        f();
    }

    // The block that finishes last joins the chunks' results: the classic threadFenceReduction of the CUDA samples.
    template <class T, class Op, class Term>
    __device__ void reduce(index_t n, T identity, Op op, Term term, void* scratch, T* out) const {
        const reduce_layout layout(n);
        unsigned* const ticket = static_cast<unsigned*>(scratch);
        T* const partials = reinterpret_cast<T*>(static_cast<char*>(scratch) + 16);
        const bool leads = threadIdx.x % reduce_layout::lanes == 0;
        const int chunk = (blockIdx.x * blockDim.x + threadIdx.x) / reduce_layout::lanes;
        T sum = identity;
        if (chunk < layout.chunks)
            sum = join_lanes(lane_sum(chunk * layout.chunk, layout.end_of(chunk, n), identity, op, term), identity, op);
        if (layout.chunks > 1) {
            __shared__ bool is_last;
            if (leads && chunk < layout.chunks) {
                partials[chunk] = sum;
                if (gridDim.x > 1) __threadfence();
            }
            __syncthreads();
            if (threadIdx.x == 0) is_last = gridDim.x == 1 || atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
            __syncthreads();
            if (!is_last || threadIdx.x >= reduce_layout::lanes) return;
            __threadfence();
            sum = join_lanes(lane_sum(0, layout.chunks, identity, op, [&](index_t i) { return partials[i]; }), identity, op);
        }
        if (threadIdx.x == 0) *out = sum;
    }
};

}  // namespace cograph::core
