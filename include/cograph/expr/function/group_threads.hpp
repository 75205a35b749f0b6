// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/lane_order.hpp>
#include <cograph/expr/node/launch_limits.hpp>

namespace cograph::core {

#ifdef __CUDACC__
// The exchange of the warps of groups: two halves, used in turn.
template <class T>
__device__ T* results_of_group_warps() {
    __shared__ alignas(T) unsigned char room[2 * warp_lanes * sizeof(T)];
    return reinterpret_cast<T*>(room);
}
#endif

// The threads of a group, and how they exchange values.
template <int Size>
class group_threads {
public:
    group_threads() = default;
    group_threads(group_threads const&) = delete;
    group_threads& operator=(group_threads const&) = delete;

    // For code that distributes elements itself: the number of threads, and the number of this one. On the host 1 and
    // 0. Results that depend on them may differ between ways to run.
    COGRAPH_HD int size() const {
#ifdef __CUDA_ARCH__
        return Size;
#else
        return 1;
#endif
    }
    COGRAPH_HD int rank() const {
#ifdef __CUDA_ARCH__
        return static_cast<int>(threadIdx.x % Size);
#else
        return 0;
#endif
    }
    // Waits for all threads of the group; their writes are then visible.
    COGRAPH_HD void sync() const {
#ifdef __CUDA_ARCH__
        if constexpr (Size > warp_lanes)
            asm volatile("bar.sync %0, %1;" ::"r"(1 + static_cast<int>(threadIdx.x) / Size), "n"(Size) : "memory");
        else if constexpr (Size > 1)
            __syncwarp(lanes());
#endif
    }

protected:
    static_assert(is_group_size(Size));
    static constexpr int in_warp = Size < warp_lanes ? Size : warp_lanes;
    static constexpr int warps = Size / in_warp;
    mutable int half_ = 0;

#ifdef __CUDACC__
    __device__ static unsigned lanes() {
        if constexpr (in_warp == warp_lanes)
            return ~0u;
        else
            return ((1u << in_warp) - 1) << (threadIdx.x % warp_lanes / in_warp * in_warp);
    }
    __device__ static int lane() { return static_cast<int>(threadIdx.x % in_warp); }
    __device__ static int warp() { return static_cast<int>(threadIdx.x % Size / in_warp); }
    template <class T>
    __device__ static T from_lane(T value, int lane) {
        return shuffle_words(value, [&](unsigned word) { return __shfl_sync(lanes(), word, lane, in_warp); });
    }
    template <class T>
    __device__ static T from_above(T value, int offset) {
        return shuffle_words(value, [&](unsigned word) { return __shfl_down_sync(lanes(), word, offset, in_warp); });
    }
    template <class T>
    __device__ static T from_below(T value, int offset) {
        return shuffle_words(value, [&](unsigned word) { return __shfl_up_sync(lanes(), word, offset, in_warp); });
    }
    // The value of the first lane of each warp, for every lane that represents a warp.
    template <class T>
    __device__ T of_warp(T value, T const& identity) const {
        T* const room = results_of_group_warps<T>() + half_ * warp_lanes + threadIdx.x / Size * warps;
        half_ = 1 - half_;
        if (lane() == 0) room[warp()] = value;
        sync();
        return lane() < warps ? room[lane()] : identity;
    }
    template <class T, class Op>
    __device__ T join(T value, T const& identity, Op const& op) const {
#pragma unroll
        for (int offset = in_warp / 2; offset > 0; offset /= 2) value = op(value, from_above(value, offset));
        if constexpr (warps > 1) {
            value = of_warp(value, identity);
#pragma unroll
            for (int offset = warps / 2; offset > 0; offset /= 2) value = op(value, from_above(value, offset));
        }
        return from_lane(value, 0);
    }
    // Combines this lane's value with those of the given number of lanes below it.
    template <class T, class Op>
    __device__ static T scan_lanes(T value, int count, Op const& op) {
#pragma unroll
        for (int offset = 1; offset < count; offset *= 2) {
            const T below = from_below(value, offset);
            if (lane() >= offset) value = op(below, value);
        }
        return value;
    }
#endif
};

}  // namespace cograph::core
