// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/stream/copies.hpp>
#include <cograph/plan/bind/check_copies.hpp>
#include <cograph/run/launch/kernel_table.cuh>
#include <cograph/run/launch/launch_config.cuh>
#include <cograph/run/launch/non_kernel_code.cuh>

namespace cograph::core {

// One row has no next one; with a pitch of 0 CUDA takes it as it takes cudaMemcpy, of any length, while it bounds pitches.
inline bool is_one_row(const box& b) { return b.height == 1 && b.depth == 1; }
inline cudaPitchedPtr pitched(const void* memory, unsigned size, const box& b, const box_side& side) {
    char* const first = static_cast<char*>(const_cast<void*>(memory)) + side.begin * size;
    if (is_one_row(b)) return {first, 0, 0, 0};
    return {first, static_cast<std::size_t>(side.pitch) * size, static_cast<std::size_t>(b.width) * size, static_cast<std::size_t>(side.rows)};
}
inline cudaMemcpy3DParms cuda_copy(const planned_copy& copy) {
    cudaMemcpy3DParms params{};
    params.srcPtr = pitched(copy.from, copy.size, copy.what, from_side(copy.what));
    params.dstPtr = pitched(copy.to, copy.size, copy.what, to_side(copy.what));
    params.extent = {static_cast<std::size_t>(copy.what.width) * copy.size, static_cast<std::size_t>(copy.what.height),
                     static_cast<std::size_t>(copy.what.depth)};
    params.kind = cudaMemcpyDefault;
    return params;
}

inline void enqueue_copy(const frame& f, const plan_node& r, const other_code&, cudaStream_t stream, driver_log& log) {
    const planned_copy copy = copy_of(f, r);
    if (is_empty(copy.what)) return;
    const cudaMemcpy3DParms params = cuda_copy(copy);
    if (is_one_row(copy.what))
        check_node_call(cudaMemcpyAsync(params.dstPtr.ptr, params.srcPtr.ptr, params.extent.width, cudaMemcpyDefault, stream), "cudaMemcpyAsync", f, r, &log);
    else
        check_node_call(cudaMemcpy3DAsync(&params, stream), "cudaMemcpy3DAsync", f, r, &log);
}

// A copy of nothing is an empty node: CUDA refuses it.
inline void describe_copy(const frame& f, const plan_node& r, const other_code&, cudaGraph_t, graph_owner&, cudaGraphNodeParams& params, driver_log&) {
    const planned_copy copy = copy_of(f, r);
    params.type = is_empty(copy.what) ? cudaGraphNodeTypeEmpty : cudaGraphNodeTypeMemcpy;
    if (!is_empty(copy.what)) params.memcpy.copyParams = cuda_copy(copy);
}

template <class Code>
inline constexpr other_code call_of_copy{&describe_copy, &enqueue_copy, nullptr};
template <class T, bool OfBox, class Target>
inline constexpr auto kernel_of<copy_code<T, OfBox>, Target> = &call_of_copy<copy_code<T, OfBox>>;

}  // namespace cograph::core
