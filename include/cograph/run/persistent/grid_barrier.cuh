// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/phases/phase_state.hpp>

#include <type_traits>

namespace cograph::core {

// The shared state of the blocks of a persistent grid; zero between launches, except one number.
struct barrier_memory {
    struct alignas(64) meeting {
        unsigned long long word;  // the combination of the blocks' values
        unsigned arrived;         // of the blocks
        __device__ void clear() { word = 0, arrived = 0; }
    };
    unsigned arrived;
    char apart[60];
    unsigned left;
    unsigned sent;  // the number of the last results that blocks sent to each other, in all launches: not zero between them
    char behind[56];
    meeting meetings[3];  // by turns
};

// A barrier over a persistent kernel: its block, its cluster or its whole grid, as it was launched. Earlier writes
// are visible to every thread after it. Tight: of a kernel whose threads have no registers for its counts, which are in shared memory then, and the first thread's. This is
// part of the type: with code for both, which it drops later, nvcc does not put long bodies of loops into their kernels (bench/RESULTS.md).
template <bool IsTight = false>
class kernel_barrier {
public:
    __device__ explicit kernel_barrier(barrier_memory* memory, std::false_type = {}) : memory_(memory), over_(gridDim.x == 1 ? over_block : over_grid) {
#if __CUDA_ARCH__ >= 900
        unsigned blocks_in_cluster;
        asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks_in_cluster));
        if (over_ == over_grid && blocks_in_cluster == gridDim.x) over_ = over_cluster;
#endif
        asm volatile("" : "+r"(over_));  // kept, not found again
        if (over_ == over_cluster) wait(over_);  // shared memory of a block that has not begun must not be written
    }
    // The block has to synchronize before it waits.
    struct counts {
        unsigned target, next;
        int over;
    };
    __device__ kernel_barrier(barrier_memory* memory, counts* in_shared) : kernel_barrier(memory) {
        counts_ = in_shared;
        if (threadIdx.x == 0) *counts_ = {target_, next_, over_};
    }

    // The same as a whole grid, however it was launched: a kernel that nearly always has one has no code for the others then. If its blocks send results to each other,
    // these have numbers that go on from launch to launch.
    __device__ kernel_barrier(barrier_memory* memory, std::true_type) : memory_(memory), over_(over_grid) {}
    __device__ unsigned last_sent() const { return memory_->sent; }
    __device__ void leave_sent(unsigned number) const { memory_->sent = number; }

    // Whether all blocks reach each other's shared memory.
    __device__ bool shares_memory() const { return over_now() != over_grid; }

    __device__ void wait() {
        phase_ = {};
        wait(over_now());
    }
    // Before a node.
    __device__ void wait_before(barrier before, bool in_first_block) {
        const bool of_grid = phase_.meets_grid(before, in_first_block);
        if (of_grid || before == barrier::of_phase) wait(of_grid ? over_now() : over_block);
    }
    // Before a node of several chunks, at a barrier of the grid, with work between the arrival and the wait, when the threads of the block have arrived.
    template <class F>
    __device__ void wait_after(F const& work) {
        phase_.meets_grid(barrier::grid, false);
        wait(over_now(), work);
    }

    // The value of a block for the next meeting, from its first thread: added to those of the others, or kept if it
    // is the largest.
    template <bool Adds>
    __device__ void bring(unsigned long long word) {
        unsigned long long* const to = &memory_->meetings[next()].word;
        if constexpr (Adds)
            asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
        else
            asm volatile("red.relaxed.gpu.global.max.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
    }
    // A barrier of a whole grid that gives all threads the blocks' values. They see them with the last arrival: GPUs
    // read 16 bytes at once.
    __device__ unsigned long long meet() {
        __shared__ unsigned long long brought;
        barrier_memory::meeting* const here = begin_meeting();
        phase_ = {};
        __syncthreads();
        if (threadIdx.x == 0) brought = meet_others(here);
        __syncthreads();
        return brought;
    }

    // The same for a block's first thread alone, which brings its value at once. Its block meets by itself, and it only uses this.
    template <bool Adds>
    __device__ unsigned long long meet_alone(unsigned long long word) {
        bring<Adds>(word);
        return meet_others(begin_meeting());
    }

    // At the end of the kernel: true in every thread of the block that leaves last, which makes the memory zero again.
    __device__ bool leaves_last() {
        __syncthreads();
        if (over_now() == over_block) return true;
        __shared__ bool last;
        if (threadIdx.x == 0) {
            __threadfence();
            last = atomicInc(&memory_->left, gridDim.x - 1) == gridDim.x - 1;
            if (last) {
                memory_->arrived = 0;
                memory_->meetings[after(after(next()))].clear();
            }
        }
        __syncthreads();
        return last;
    }

private:
    struct nothing {
        __device__ void operator()() const {}
    };
    __device__ void wait(int over) { wait(over, nothing{}); }
    template <class F>
    __device__ void wait(int over, F const& work) {
        if (over == over_grid) {
            if constexpr (!IsTight) target_ += gridDim.x;
            __syncthreads();
            if (threadIdx.x == 0) asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(&memory_->arrived) : "memory");
            work();
            if (threadIdx.x == 0) {
                if constexpr (IsTight) target_ = counts_->target += gridDim.x;
                unsigned seen;
                do {
                    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(&memory_->arrived) : "memory");
                } while (static_cast<int>(seen - target_) < 0);
            }
            __syncthreads();
        } else if (over == over_block) {
            __syncthreads();
            work();
        } else {
#if __CUDA_ARCH__ >= 900
            __syncwarp();  // aligned: of all threads of a warp, so that the compiler knows behind it that these are together
            if constexpr (std::is_same_v<F, nothing>) {
                asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
            } else {
                asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
                __syncthreads();
                work();
                __syncwarp();
                asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
            }
#endif
        }
    }
    __device__ unsigned long long meet_others(barrier_memory::meeting* here) const {
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(&here->arrived) : "memory");
        unsigned long long word, arrived;
        do {
            asm volatile("{\n\t.reg .b128 both;\n\tld.acquire.gpu.global.b128 both, [%2];\n\tmov.b128 {%0, %1}, both;\n\t}"
                         : "=l"(word), "=l"(arrived)
                         : "l"(here)
                         : "memory");
        } while (static_cast<unsigned>(arrived) != gridDim.x);
        // No thread reads the previous meeting any more, and none uses it until this block has been to another one.
        if (blockIdx.x == 0) memory_->meetings[after(next())].clear();
        return word;
    }
    __device__ int over_now() const {
        if constexpr (IsTight)
            return counts_->over;
        else
            return over_;
    }
    __device__ unsigned next() const {
        if constexpr (IsTight)
            return threadIdx.x == 0 ? counts_->next : 0;
        else
            return next_;
    }
    __device__ barrier_memory::meeting* begin_meeting() {
        const unsigned now = next();
        if constexpr (!IsTight)
            next_ = after(now);
        else if (threadIdx.x == 0)
            counts_->next = after(now);
        return &memory_->meetings[now];
    }
    __device__ static unsigned after(unsigned turn) { return turn == 2 ? 0 : turn + 1; }

    barrier_memory* memory_;
    unsigned target_ = 0, next_ = 0;
    counts* counts_ = nullptr;
    int over_;
    phase_state phase_;
    static constexpr int over_block = 0, over_cluster = 1, over_grid = 2;
};

}  // namespace cograph::core
