// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/guarding.hpp>
#include <cograph/run/code.cuh>

namespace cograph::core {

// The kernels of nodes that ask a condition in memory first. Over elements, a limited number of blocks takes them in turns, so
// that nodes over many elements cost little where they do nothing.
template <class Stage, unsigned Case, class... P>
__global__ void __launch_bounds__(persistent_threads) guarded_kernel(reference<const unsigned> answer, P... p) {
    guarded<Stage, Case>::run(grid_context{}, answer, p...);
}
template <class Stage, unsigned Case, class N, class... P>
__global__ void guarded_element_kernel(reference<const unsigned> answer, N n, P... p) {
    if (*answer.at != Case) return;
    const index_t stride = static_cast<index_t>(gridDim.x) * blockDim.x;
    every<1>(static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x, static_cast<index_t>(n), stride, [&](index_t i) { Stage::at(i, n, p...); });
}

template <class Stage, unsigned Case, class... P>
consteval auto kernel_of_guarded() {
    if constexpr (Stage::rule == launch_rule::per_element)
        return &guarded_element_kernel<Stage, Case, P...>;
    else
        return &guarded_kernel<Stage, Case, P...>;
}
template <class Stage, unsigned Case, class Answer, class... P, class Target>
inline constexpr auto kernel_of<stage_code<guarded<Stage, Case>, Answer, P...>, Target> = kernel_of_guarded<Stage, Case, P...>();

}  // namespace cograph::core
