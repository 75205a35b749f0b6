// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/persistent/chunk_exchange.cuh>

namespace cograph::core {

// A number for each block of a kernel with tiles: how often it has come to a barrier of neighbours. All zero between launches.
class neighbour_flags {
public:
    __device__ void begin(char* memory) { flags_ = reinterpret_cast<unsigned*>(memory); }
    // All blocks are here.
    template <class Tile>
    __device__ void end(Tile const& tile) const {
        if (threadIdx.x == 0) *flag_of(tile.number) = 0;
    }
    // Waits until the blocks whose tiles are next to this one have reached such a barrier equally often. Earlier
    // writes of one are seen by the others.
    template <class Tile>
    __device__ void wait(auto const& context, Tile const& tile) {
        if (context.barrier_all.shares_memory()) {
            context.barrier_all.wait();
            return;
        }
        ++epoch_;
        __syncthreads();
        if (threadIdx.x == 0) asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag_of(tile.number)), "r"(epoch_) : "memory");
        if (threadIdx.x < Tile::tiles_beside) {
            const int block = tile.beside(static_cast<int>(threadIdx.x));
            unsigned seen = epoch_;
            if (block >= 0) do {
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag_of(block)) : "memory");
            } while (static_cast<int>(seen - epoch_) < 0);
        }
        __syncthreads();
    }

private:
    __device__ unsigned* flag_of(int block) const { return flags_ + 16 * block; }

    unsigned* flags_ = nullptr;
    unsigned epoch_ = 0;
};

}  // namespace cograph::core
