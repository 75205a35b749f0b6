// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

namespace cograph::core {

// What a thread's elements give: if the order matters, two sums.
template <class T>
struct sums_of_halves {
    T half[2];
    __device__ explicit sums_of_halves(T const& start) : half{start, start} {}
};
template <class Tiles, class T>
using sums_in_tile = choose<Tiles::in_order && !__is_empty(T), sums_of_halves<T>, T>;
template <int Half, class T>
__device__ T& part_of(T& sum) {
    return sum;
}
template <int Half, class T>
__device__ T& part_of(sums_of_halves<T>& sum) {
    return sum.half[Half];
}

}  // namespace cograph::core
