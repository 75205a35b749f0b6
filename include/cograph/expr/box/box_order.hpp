// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

namespace cograph::core {

// The order of a reduction over a box of two dimensions. It is that of reduce_layout over positions, each of which is an element of the box or none. Boxes of
// more than 131 072 elements that are up to 128 patches are cut into these, as the blocks of a kernel with tiles take them. A patch has 16 warps, a warp has
// whole rows, and a lane a few columns of them. A lane of two chunks has the upper half of these rows and the lower one, or of large patches the left half of its
// columns and the right one. A box has large patches only if it asks for them. The rest follows from the sides.
struct box_order {
    static constexpr int patches = 128, warps = 16, lanes = 32;
    static constexpr int few = 4, many = 16;  // elements of a lane of a patch, in one column and in two; more are in four
    static constexpr int large_columns = 4, least_large_rows = 9, most_large_rows = 64;
    static constexpr unsigned lanes_of_chunks = 1u << 17;

    index_t rows, columns;
    int elements = 0;  // of a lane of a patch; 0: positions are numbers of elements
    int across = 1;

    COGRAPH_HD static constexpr bool is_large(int elements) { return elements > many; }
    COGRAPH_HD static constexpr int columns_of_lane(int elements) { return elements == few ? 1 : is_large(elements) ? large_columns : 2; }
    COGRAPH_HD static constexpr int rows_of_lane(int elements) { return elements / columns_of_lane(elements); }
    COGRAPH_HD static constexpr int width_for(int elements) { return lanes * columns_of_lane(elements); }
    COGRAPH_HD static constexpr int height_for(int elements) { return warps * rows_of_lane(elements); }

    COGRAPH_HD constexpr box_order(index_t all_rows, index_t all_columns, bool in_large_patches) : rows(all_rows), columns(all_columns) {
        constexpr index_t most = index_t{patches} * warps * most_large_rows * lanes * large_columns;
        if (rows < 1 || columns < 1 || rows > most || columns > most || rows * columns > most || rows * columns <= lanes_of_chunks) return;
        elements = patches_of(few) <= patches ? few : patches_of(many) <= patches ? many : in_large_patches ? of_large() : 0;
        if (elements != 0) across = elements == few ? across_for(few) : elements == many ? across_for(many) : across_for_large();  // by constants: GPUs divide slowly
    }

    COGRAPH_HD constexpr bool is_cut() const { return elements != 0; }
    COGRAPH_HD constexpr index_t positions() const { return index_t{lanes_of_chunks / 2} * elements; }
    // The row and the column at which a lane of a chunk begins, given one of its positions. Each thread of a GPU finds them: unsigned numbers and constants
    // take fewer instructions.
    struct corner {
        int row, column;
    };
    COGRAPH_HD constexpr corner corner_if(int some, index_t position) const {
        const lane_of_chunk found(position, across);
        const unsigned half_of_lane = static_cast<unsigned>(rows_of_lane(some) / 2);
        return {static_cast<int>(((found.down * warps + found.warp) * 2 + found.half) * half_of_lane), static_cast<int>((found.aside * lanes + found.lane) * static_cast<unsigned>(columns_of_lane(some)))};
    }
    COGRAPH_HD constexpr corner corner_if_large(index_t position) const {
        const lane_of_chunk found(position, across);
        return {static_cast<int>(found.down * warps + found.warp) * large_rows(), static_cast<int>(((found.aside * 2 + found.half) * lanes + found.lane) * (large_columns / 2))};
    }
    COGRAPH_HD constexpr int large_rows() const { return static_cast<int>(static_cast<unsigned>(elements) / large_columns); }
    COGRAPH_HD constexpr corner corner_of(index_t position) const {
        return elements == few ? corner_if(few, position) : elements == many ? corner_if(many, position) : corner_if_large(position);
    }
    // The row and the column of a position, given where its lane begins; perhaps outside of the box.
    COGRAPH_HD constexpr corner at(corner const& first, index_t position) const {
        const int step = static_cast<int>(position / lanes_of_chunks), of_lane = elements == few ? 1 : 2;
        return {first.row + step / of_lane, first.column + step % of_lane};
    }
    // Its place in the box, if it has one.
    template <class Place>
    COGRAPH_HD constexpr bool find(corner const& first, index_t position, Place& place) const {
        const corner here = at(first, position);
        place = {here.row * columns + here.column, {here.row, here.column}, {rows, columns}};
        return here.row < rows && here.column < columns;
    }
    // The number of the element there, or -1.
    COGRAPH_HD constexpr index_t element(index_t position) const {
        if (!is_cut()) return position;
        const corner here = at(corner_of(position), position);
        return here.row < rows && here.column < columns ? here.row * columns + here.column : -1;
    }

private:
    // Where a lane is, by the bits of its chunk's number in the order in which chunks are joined.
    struct lane_of_chunk {
        unsigned lane, warp, half, down, aside;  // its warp in a patch; down, aside: the patch
        COGRAPH_HD constexpr lane_of_chunk(index_t position, int across) {
            const unsigned of_chunk = 256, at = static_cast<unsigned>(position), chunk = at % lanes_of_chunks / of_chunk;
            const unsigned patch = (chunk % 16) * 8 + chunk / 32 % 8;
            lane = at % lanes;
            warp = at / lanes % 8 * 2 + chunk / 256;
            half = chunk / 16 % 2;
            down = patch / static_cast<unsigned>(across);
            aside = patch - down * static_cast<unsigned>(across);
        }
    };
    COGRAPH_HD constexpr int across_for(int some) const { return pieces(columns, width_for(some)); }
    COGRAPH_HD constexpr int across_for_large() const { return pieces(columns, lanes * large_columns); }
    COGRAPH_HD constexpr int patches_of(int some) const { return across_for(some) * pieces(rows, height_for(some)); }
    // Large patches have as few rows as 128 of them need. A box that has less than three eighths of the elements of these is not cut: most lanes would have none.
    COGRAPH_HD constexpr int of_large() const {
        constexpr unsigned of_row = patches * warps * lanes * large_columns;  // elements of all patches if a lane has one row
        const unsigned all = static_cast<unsigned>(rows * columns), aside = static_cast<unsigned>(across_for_large());
        if (aside > patches) return 0;
        const unsigned needed = static_cast<unsigned>(pieces(rows, warps * static_cast<int>(patches / aside))), of_lane = needed > least_large_rows ? needed : least_large_rows;
        return of_lane > most_large_rows || 8 * all < 3 * of_row * of_lane ? 0 : static_cast<int>(large_columns * of_lane);
    }
    COGRAPH_HD static constexpr int pieces(index_t side, int by) { return static_cast<int>((static_cast<unsigned>(side) + static_cast<unsigned>(by) - 1) / static_cast<unsigned>(by)); }
};

}  // namespace cograph::core
