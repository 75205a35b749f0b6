// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>
#include <cograph/join/strided.hpp>

#include <span>

namespace cograph::core {

// Arrays with strides as arguments of calls: memory without gaps is filled from them, or they from it, if the user asks
// for it: c(stream, gather(stream, strided<const float>(tensor), c.static_buffer(x)), ...).

template <class T, class From, class To>
__global__ void copy_strided(From from, To to, index_t count) {
    const index_t step = static_cast<index_t>(gridDim.x) * blockDim.x;
    for (index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) to[i] = from[i];
}
inline void launch_copy(const void* kernel, index_t count, void** parameters, cudaStream_t stream, const char* what) {
    if (count == 0) return;
    constexpr index_t threads = 256, most = 1 << 16;
    const index_t blocks = (count + threads - 1) / threads;
    check(cudaLaunchKernel(kernel, dim3(static_cast<unsigned>(blocks < most ? blocks : most)), dim3(threads), parameters, 0, stream), "cudaLaunchKernel", {what});
}

// Copies the elements of an array on the device, in the order of their indices, to memory without gaps; returns that memory. In
// stream order; the host does not wait. On a stream that is being captured it becomes a part of the capture.
template <class T, class U>
    requires std::is_same_v<std::remove_const_t<U>, T>
std::span<T> gather(cudaStream_t stream, strided_array<U> from, std::span<T> to) {
    check_size(from.size(), to.size(), "gather");
    T* memory = to.data();
    index_t count = from.size();
    void* parameters[] = {&from, &memory, &count};
    launch_copy(reinterpret_cast<const void*>(&copy_strided<T, strided_array<U>, T*>), count, parameters, stream, "gather");
    return to;
}
// The same from memory without gaps to an array.
template <class T, class U>
    requires std::is_same_v<std::remove_const_t<U>, T>
void scatter(cudaStream_t stream, std::span<U> from, strided_array<T> to) {
    check_size(to.size(), from.size(), "scatter");
    U* memory = from.data();
    index_t count = to.size();
    void* parameters[] = {&memory, &to, &count};
    launch_copy(reinterpret_cast<const void*>(&copy_strided<T, U*, strided_array<T>>), count, parameters, stream, "scatter");
}

}  // namespace cograph::core
