// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tiles/tile_program.hpp>
#include <cograph/run/kernel/parameter_pack.cuh>
#include <cograph/run/tiles/tile_of_block.cuh>

namespace cograph::core {

// Neighbours in registers, in two dimensions. RowsInner: all rows are there.
template <class T, bool RowsInner, int Rows, int Columns>
struct near_in_registers {
    static constexpr int height = 2 * Rows + 1, width = 2 * Columns + 1;
    copy_of_element<T> all[height * width];

    // Around an element of those that a thread holds.
    template <class Held>
    __device__ near_in_registers(Held const& held, int row, int column) {
#pragma unroll
        for (int i = 0; i < height; ++i)
#pragma unroll
            for (int j = 0; j < width; ++j) all[i * width + j].fill(held[row - Rows + i][column - Columns + j].value);
    }
};
template <class T, bool RowsInner, int Rows, int Columns>
__device__ neighbours<T, Rows, Columns> arrive(near_in_registers<T, RowsInner, Rows, Columns> const& p, box_place<2> const& place) {
    using near = near_in_registers<T, RowsInner, Rows, Columns>;
    constexpr index_t far = 1 << 20;
    const T* const own = &p.all[Rows * near::width + Columns].value;
    if constexpr (RowsInner)
        return {own, box_place<2>{0, {far, place.at[1]}, {2 * far, place.sides[1]}}, near::width};
    else
        return {own, place, near::width};
}

}  // namespace cograph::core
