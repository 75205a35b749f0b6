// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/stage.hpp>

namespace cograph {

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

// The result over a tile of reduce_layout::lanes threads, valid in its first thread. All threads of the block call it.
template <class T, class Op>
__device__ T join_lanes(T value, T identity, Op const& op) {
    constexpr int warps = reduce_layout::lanes / 32;
    __shared__ alignas(T) char room[warps * sizeof(T)];
    T* const of_warp = reinterpret_cast<T*>(room);
    for (int offset = 16; offset > 0; offset /= 2) value = op(value, shuffle_down(value, offset));
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < warps ? of_warp[threadIdx.x] : identity;
        for (int offset = warps / 2; offset > 0; offset /= 2) value = op(value, shuffle_down(value, offset));
    }
    __syncthreads();
    return value;
}

template <class T, class Op, class Term>
__device__ T lane_sum(index_t begin, index_t end, T identity, Op const& op, Term const& term) {
    T sum = identity;
#pragma unroll 4
    for (index_t i = begin + threadIdx.x; i < end; i += reduce_layout::lanes) sum = op(sum, term(i));
    return sum;
}

// A whole grid as an execution context: one thread an element, one block a chunk.
struct grid_context {
    template <class F>
    __device__ void each(index_t n, F f) const {
        const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
        if (i < n) f(i);
    }

    template <class F>
    __device__ void once(F f) const {
        f();
    }

    // The block that finishes last joins the chunks' results: the classic threadFenceReduction of the CUDA samples.
    template <class T, class Op, class Term>
    __device__ void reduce(index_t n, T identity, Op op, Term term, void* scratch, T* out) const {
        const reduce_layout layout(n);
        const index_t begin = blockIdx.x * layout.chunk;
        const index_t end = begin + layout.chunk < n ? begin + layout.chunk : n;
        T sum = join_lanes(lane_sum(begin, end, identity, op, term), identity, op);
        if (layout.chunks > 1) {
            unsigned* const ticket = static_cast<unsigned*>(scratch);
            T* const partials = reinterpret_cast<T*>(static_cast<char*>(scratch) + 16);
            __shared__ bool is_last;
            if (threadIdx.x == 0) {
                partials[blockIdx.x] = sum;
                __threadfence();
                is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
            }
            __syncthreads();
            if (!is_last) return;
            __threadfence();
            sum = join_lanes(lane_sum(0, layout.chunks, identity, op, [&](index_t i) { return partials[i]; }), identity, op);
        }
        if (threadIdx.x == 0) *out = sum;
    }
};

}  // namespace cograph
