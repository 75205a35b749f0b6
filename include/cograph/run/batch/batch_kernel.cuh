// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/batch/problem_program.hpp>
#include <cograph/run/batch/thread_context.cuh>
#include <cograph/run/launch/kernel_table.cuh>

namespace cograph::core {

// The queue from which groups of threads take problems, if there are more problems than groups; all zero between
// launches.
struct problem_queue {
    unsigned long long next;
    unsigned left;
};
static_assert(sizeof(problem_queue) <= queue_bytes);

template <int Size>
__device__ index_t take_problem(problem_queue* queue) {
    index_t taken = 0;
    if (threadIdx.x % Size == 0) taken = static_cast<index_t>(atomicAdd(&queue->next, 1ull));
    if constexpr (Size == warp_lanes) {
        taken = __shfl_sync(~0u, taken, 0);
    } else if constexpr (Size > warp_lanes) {
        __shared__ index_t for_all;
        if (threadIdx.x == 0) for_all = taken;
        __syncthreads();
        taken = for_all;
        __syncthreads();  // a problem without a part of its own meets no other barrier
    }
    return taken;
}
// The group that leaves last makes the queue as it was.
template <int Size>
__device__ void leave_queue(problem_queue* queue, unsigned groups) {
    if (threadIdx.x % Size != 0) return;
    __threadfence();
    if (atomicInc(&queue->left, groups - 1) == groups - 1) queue->next = 0;
}

// The problem of the block; or one after the other, as the queue gives them if there are more than groups.
template <int Size, bool IsQueued, class Run>
__device__ void run_problems(problem_queue* queue, unsigned groups, unsigned own, index_t problems, Run const& run) {
    if constexpr (IsQueued) {
        const bool takes = problems > groups;
        for (index_t q = takes ? take_problem<Size>(queue) : index_t{own}; q < problems; q = takes ? take_problem<Size>(queue) : problems) run(q);
        if (takes) leave_queue<Size>(queue, groups);
    } else {
        if (own < problems) run(index_t{own});
    }
}

// Memory on chip for the temps of a problem: a part of the block's shared memory, or a thread's own.
template <int Size>
struct room_of_problem {
    __device__ char* get() {
        __shared__ alignas(32) char room[threads_of_block<Size> / Size][shared_place<Size>];
        return room[threadIdx.x / Size];
    }
};
template <>
struct room_of_problem<1> {
    alignas(32) char room[shared_place<1>];
    __device__ char* get() { return room; }
};

// Registers: for a number of threads of an SM, so that problems hide each other's waits.
constexpr int threads_at_least = 320;
template <int Size, class Program, class... P>
__global__ void __launch_bounds__(threads_of_block<Size>, (threads_at_least + threads_of_block<Size> - 1) / threads_of_block<Size>) batch_kernel(P... p) {
    const pack_of<P...> batch(p...);
    constexpr unsigned of_block = threads_of_block<Size> / Size;
    unsigned groups = gridDim.x * of_block;
    const unsigned own = blockIdx.x * of_block + threadIdx.x / Size;
    const index_t problems = static_cast<index_t>(held_at<0>(batch));
    const problem_context<Size> context;
    problem_queue* const queue = static_cast<problem_queue*>(held_at<1>(batch));
    constexpr index_t most = static_cast<index_t>(shared_place<Size>);
    room_of_problem<Size> room;
    if constexpr (Program::keeps_elements) {
        if (held_at<4>(batch) <= most && Program::has_one_element(batch, Size)) {
            run_problems<Size, !has_a_block<Size>>(queue, groups, own, problems, [&](index_t q) { Program::run_one_element(context, batch, q, room.get()); });
            return;
        }
    }
    // Temps are on chip, or in memory for as many problems as run at once.
    const bool is_on_chip = held_at<3>(batch) <= most;
    if (!is_on_chip && groups > problems_at_once<Size>(groups)) groups = static_cast<unsigned>(problems_at_once<Size>(groups));
    if (own >= groups) return;
    char* const place = is_on_chip ? room.get() : static_cast<char*>(held_at<2>(batch)) + own * held_at<3>(batch);
    run_problems<Size, true>(queue, groups, own, problems, [&](index_t q) { Program::run(context, batch, q, place); });
}

template <bool InClusters, int Size, class Program, class... P>
inline constexpr auto kernel_of_batch = &batch_kernel<Size, Program, P...>;
template <int Size, class Program, class... P, class Target>
inline constexpr auto kernel_of<batch_code<Size, Program, P...>, Target> = kernel_of_batch<has_a_cluster<Size>, Size, Program, P...>;

}  // namespace cograph::core
