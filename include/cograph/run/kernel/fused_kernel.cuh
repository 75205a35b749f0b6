// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/fusion/elementwise_fusion.hpp>
#include <cograph/run/launch/kernel_table.cuh>

namespace cograph::core {

// Neighbours over the same elements: a thread runs them for its element, one after another.
template <class Step, class Pack, int... I>
__device__ void run_one_of_fused(index_t i, Pack const& pack, std::integer_sequence<int, I...>) {
    Step::stage::at(i, parameter<Step::first + I>(pack)...);
}
template <class... Step, class Pack>
__device__ void run_fused(list<Step...>, index_t i, Pack const& pack) {
    (run_one_of_fused<Step>(i, pack, std::make_integer_sequence<int, Step::count>{}), ...);
}
template <class Steps, class N, class... P>
__global__ void fused_kernel(N n, P... p) {
    const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < static_cast<index_t>(n)) run_fused(Steps{}, i, parameter_pack<std::make_integer_sequence<int, 1 + sizeof...(P)>, N, P...>(n, p...));
}
template <class Steps, class... P, class Target>
inline constexpr auto kernel_of<fused_code<Steps, P...>, Target> = &fused_kernel<Steps, P...>;

}  // namespace cograph::core
