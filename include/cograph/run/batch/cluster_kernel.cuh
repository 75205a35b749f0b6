// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/batch/batch_kernel.cuh>
#include <cograph/run/batch/cluster_context.cuh>

namespace cograph::core {

// A cluster takes a problem, all of its threads the same one.
template <int Size>
__device__ index_t take_problem(cluster_context<Size> const& context, problem_queue* queue) {
    __shared__ index_t taken;
    if (context.leads()) {
        const index_t next = static_cast<index_t>(atomicAdd(&queue->next, 1ull));
        for (int block = 0; block < context.blocks; ++block) *context.of_block(&taken, block) = next;
    }
    context.meet();
    const index_t problem = taken;
    context.meet();
    return problem;
}

// Temps of problems are in memory, which all blocks of a cluster reach. Elements that only their own thread uses are in its registers if it has
// one of each at most.
template <int Size, class Program, class... P>
__global__ void __launch_bounds__(most_threads, 1) cluster_batch_kernel(P... p) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    __trap();  // code for older GPUs has no clusters, and a newer GPU could launch it: refused before
#endif
    const pack_of<P...> batch(p...);
    const cluster_context<Size> context;
    const unsigned groups = gridDim.x / context.blocks, own = blockIdx.x / context.blocks;
    const index_t problems = static_cast<index_t>(held_at<0>(batch));
    problem_queue* const queue = static_cast<problem_queue*>(held_at<1>(batch));
    char* const place = static_cast<char*>(held_at<2>(batch)) + own * held_at<3>(batch);
    context.meet();  // shared memory of a block that has not begun must not be written
    const bool takes = problems > groups;
    bool has_copies = false;
    if constexpr (Program::keeps_elements) has_copies = Program::has_one_element(batch, Size);
    for (index_t q = takes ? take_problem(context, queue) : index_t{own}; q < problems; q = takes ? take_problem(context, queue) : problems) {
        if constexpr (Program::keeps_elements) {
            if (has_copies) {
                Program::run_one_element(context, batch, q, place);
                continue;
            }
        }
        Program::run(context, batch, q, place);
    }
    if (takes && context.leads()) leave_queue<most_threads>(queue, groups);
}

template <int Size, class Program, class... P>
inline constexpr auto kernel_of_batch<true, Size, Program, P...> = &cluster_batch_kernel<Size, Program, P...>;

}  // namespace cograph::core
