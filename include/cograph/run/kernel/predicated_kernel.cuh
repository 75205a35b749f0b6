// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/predication.hpp>
#include <cograph/run/launch/kernel_table.cuh>

namespace cograph::core {

// The kernel of a node over elements that tests a condition in memory first. A limited number of blocks takes them in
// turns, so that nodes over many elements cost little if they do nothing.
template <class Stage, unsigned Case, class Asked, class N, class... P>
__global__ void predicated_element_kernel(Asked asked, N n, P... p) {
    if (!is_case<Case>(asked)) return;
    const index_t stride = static_cast<index_t>(gridDim.x) * blockDim.x;
    every<1>(static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x, static_cast<index_t>(n), stride, [&](index_t i) { Stage::at(i, n, p...); });
}

// The same for groups of threads.
template <class Stage, unsigned Case, class Asked, class N, class... P>
__global__ void predicated_group_kernel(Asked asked, N n, P... p) {
    if (!is_case<Case>(asked)) return;
    constexpr int size = Stage::threads::size;
    const thread_group<size> group;
    const index_t of_block = blockDim.x / size, groups = Stage::threads::groups_for(static_cast<index_t>(n));
    for (index_t i = static_cast<index_t>(blockIdx.x) * of_block + threadIdx.x / size; i < groups; i += of_block * gridDim.x) {
        Stage::at(group, i, n, p...);
        group.sync();
    }
}
// The same for ordered chunks.
template <class Stage, unsigned Case, class Asked, class... P>
__global__ void __launch_bounds__(chunk_layout::threads) predicated_chunks_kernel(Asked asked, P... p) {
    if (is_case<Case>(asked)) run_in_order(word<Stage>{}, p...);
}
template <class Stage, unsigned Case, class Asked, class... P>
consteval auto predicated_kernel() {
    if constexpr (std::is_same_v<typename Stage::threads, chunks_in_order>)
        return &predicated_chunks_kernel<Stage, Case, Asked, P...>;
    else if constexpr (Stage::traits.threads_of_group == 0)
        return &predicated_element_kernel<Stage, Case, Asked, P...>;
    else
        return &predicated_group_kernel<Stage, Case, Asked, P...>;
}

template <class Stage, unsigned Case, class Asked, class... P, class Target>
    requires(Stage::traits.counts_elements && !Stage::traits.reduces)
inline constexpr auto kernel_of<stage_code<predicated<Stage, Case>, Asked, P...>, Target> = predicated_kernel<Stage, Case, Asked, P...>();

}  // namespace cograph::core
