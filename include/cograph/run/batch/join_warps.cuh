// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/scan/chunks.hpp>
#include <cograph/run/kernel/grid_reduce.cuh>

namespace cograph::core {

// Whether the identity of a reduction changes nothing, to the last bit: then lanes without elements need not be joined.
template <class Op, class T>
__device__ bool joins_nothing([[maybe_unused]] T const& identity) {
    if constexpr (is_commutative<Op> && std::is_arithmetic_v<T>)
        return identity == own_identity<T, Op>();
    else
        return false;
}

// The results of a tile's warps, joined as in every context. Only the first `lanes` lanes of the tile have elements;
// others are skipped if their identity joins nothing.
template <class T, class Op, class Warp>
__device__ T join_warps(bool skips, int lanes, T const& identity, Op const& op, Warp const& warp) {
    static_assert(warps_of_tile == 8);
    if (skips && lanes <= 2 * warp_lanes && lanes > 0) return lanes <= warp_lanes ? static_cast<T>(warp(0)) : op(warp(0), warp(1));
    const auto of = [&](int w) -> T { return lanes > warp_lanes * w ? static_cast<T>(warp(w)) : identity; };
    const auto join = [&](T const& a, T const& b, int w) -> T { return skips && lanes <= warp_lanes * w ? a : op(a, b); };
    const T even = join(join(of(0), of(4), 4), join(of(2), of(6), 6), 2);
    return op(even, join(join(of(1), of(5), 5), join(of(3), of(7), 7), 3));
}
template <class T, class Op, class Warp>
__device__ T join_warps(int lanes, T const& identity, Op const& op, Warp const& warp) {
    return join_warps(joins_nothing<Op>(identity), lanes, identity, op, warp);
}

}  // namespace cograph::core
