// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/near.hpp>
#include <cograph/run/kernel/parameter_pack.cuh>

namespace cograph::core {

// Neighbours of three dimensions, read before it is known whether the box has them. The compiler leaves out those that no one uses. Inner: all planes and rows
// are there.
template <class T, bool Inner, int Planes, int Rows, int Columns>
struct near_in_space {
    static constexpr int depth = 2 * Planes + 1, height = 2 * Rows + 1, width = 2 * Columns + 1;
    copy_of_element<T> all[depth * height * width];

    __device__ near_in_space(const T* own, int plane, int row) {
#pragma unroll
        for (int p = 0; p < depth; ++p)
#pragma unroll
            for (int i = 0; i < height; ++i)
#pragma unroll
                for (int j = 0; j < width; ++j) all[(p * height + i) * width + j].fill(own[(p - Planes) * plane + (i - Rows) * row + j - Columns]);
    }
};
template <class T, bool Inner, int Planes, int Rows, int Columns>
__device__ neighbours<T, Planes, Rows, Columns> arrive(near_in_space<T, Inner, Planes, Rows, Columns> const& p, box_place<3> const& place) {
    using near = near_in_space<T, Inner, Planes, Rows, Columns>;
    constexpr index_t far = 1 << 20;
    const T* const own = &p.all[(Planes * near::height + Rows) * near::width + Columns].value;
    if constexpr (Inner)
        return {own, box_place<3>{0, {far, far, place.at[2]}, {2 * far, 2 * far, place.sides[2]}}, near::height * near::width, near::width};
    else
        return {own, place, near::height * near::width, near::width};
}

}  // namespace cograph::core
