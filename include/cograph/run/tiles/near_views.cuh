// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tiles/tile_program.hpp>
#include <cograph/run/kernel/parameter_pack.cuh>
#include <cograph/run/tiles/tile_of_block.cuh>

namespace cograph::core {

// Neighbours in registers, in two dimensions. RowsInner: all rows are there. Before, After: so are all columns on this side of the element.
template <class T, bool RowsInner, bool Before, bool After, int Rows, int Columns>
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
template <class T, bool RowsInner, bool Before, bool After, int Rows, int Columns>
__device__ neighbours<T, Rows, Columns> arrive(near_in_registers<T, RowsInner, Before, After, Rows, Columns> const& p, box_place<2> const& place) {
    using near = near_in_registers<T, RowsInner, Before, After, Rows, Columns>;
    constexpr index_t far = 1 << 20;
    box_place<2> seen = place;
    if constexpr (RowsInner) {
        seen.at[0] = far;
        seen.sides[0] = 2 * far;
    }
    if constexpr (Before && After) {
        seen.at[1] = far;
        seen.sides[1] = 2 * far;
    } else if constexpr (Before) {
        if (seen.at[1] < Columns) __builtin_unreachable();
    } else if constexpr (After) {
        if (seen.at[1] + Columns >= seen.sides[1]) __builtin_unreachable();
    }
    return {&p.all[Rows * near::width + Columns].value, seen, near::width};
}

}  // namespace cograph::core
