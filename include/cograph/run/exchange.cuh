// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/barriers.hpp>
#include <cograph/run/barrier.cuh>
#include <cograph/run/grid.cuh>

namespace cograph::core {

// A value that the compiler keeps, not finds again: reading a thread's number takes as long as ten additions.
__device__ inline int keep(int value) {
    asm volatile("" : "+r"(value));
    return value;
}

// A part of a persistent kernel as an execution context: tiles of 256 threads take the chunks of a domain in turn, so that
// one thread meets the same elements in every stage over the same extent. What one thread does, every thread does for itself.
struct persistent_context {
    kernel_barrier& barrier_all;
    char* memory;     // for the chunks' results
    unsigned& round;  // of groups that reduce

    const int thread = keep(threadIdx.x);
    const int tiles_of_block = blockDim.x / reduce_layout::lanes;
    const int tile_of_block = thread / reduce_layout::lanes;
    const int tiles = keep(tiles_of_block * gridDim.x);
    const int tile = keep(tile_of_block * gridDim.x + blockIdx.x);

    // One thread of all, which keeps the states of loops.
    __device__ bool leads() const { return blockIdx.x == 0 && thread == 0; }

    __device__ int lane_of_tile() const { return thread % reduce_layout::lanes; }
    __device__ int warp() const { return thread / warp_lanes; }
    __device__ int lane() const { return thread % warp_lanes; }

    template <class F>
    __device__ void once(F f) const {
        f();
    }
};

template <barrier B>
__device__ void keep_order(persistent_context const& context) {
    if constexpr (B == barrier::grid) context.barrier_all.wait();
}

constexpr int most_shared_chunks = 256;    // of a kernel whose blocks reach each other's shared memory
constexpr int most_shared_reductions = 2;  // of a group; others go through memory

// What all chunks give the J-th reduction of a group: in the shared memory of every block where blocks reach it, else in the
// kernel's memory. In two halves by turns, since a block may still read those of one group while another writes the next.
template <int J, class T>
class chunk_results {
public:
    __device__ explicit chunk_results(persistent_context const& context)
        : shared_(J < most_shared_reductions && context.barrier_all.shares_memory()), lane_(context.lane()) {
        const unsigned half = context.round % 2;
        all_ = shared_ ? room() + half * most_shared_chunks
                       : reinterpret_cast<T*>(context.memory + (2 * J + half) * reduce_layout::most_chunks *
                                                                   persistent_scalar_bytes);
    }

    __device__ const T* all() const { return all_; }

    // From every eighth lane of a warp, all of which call it, the result of a chunk, if it is valid.
    __device__ void put(int chunk, bool valid, T result) const {
        if (shared_ && gridDim.x > 1) {
            result =
                shuffle_words(result, [&](unsigned word) { return __shfl_sync(~0u, word, lane_ / 8 * 8); });
            if (valid)
                for (unsigned block = lane_ % 8; block < gridDim.x; block += 8)
                    *of_block(all_ + chunk, block) = result;
        } else if (valid && lane_ % 8 == 0) {
            all_[chunk] = result;
        }
    }

private:
    __device__ static T* room() {
        if constexpr (J < most_shared_reductions) {
            __shared__ alignas(T) char results[2 * most_shared_chunks * sizeof(T)];
            return reinterpret_cast<T*>(results);
        } else {
            return nullptr;
        }
    }
    __device__ static T* of_block(T* own, [[maybe_unused]] unsigned block) {
#if __CUDA_ARCH__ >= 900
        asm("mapa.u64 %0, %0, %1;" : "+l"(own) : "r"(block));
#endif
        return own;
    }

    bool shared_;
    unsigned lane_;
    T* all_;
};

// Shared memory for what the warps of a tile make of those.
template <int J, class T>
__device__ T* results_of_tile() {
    __shared__ alignas(T) char results[warps_of_tile * sizeof(T)];
    return reinterpret_cast<T*>(results);
}

}  // namespace cograph::core
