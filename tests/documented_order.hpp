// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

// The order in which every way to run joins the terms of a reduction, written again. Tiles of 256 lanes take chunks, 512 at most: lane
// l of chunk c joins 256 c + l and, in order, the elements that lie a multiple of 256 times the number of chunks behind it; within each
// warp lanes at distance 16, 8, 4, 2, 1 are joined, then the 8 warps at distance 4, 2, 1. The chunks' results are joined by one tile in
// the same way.
//
// A box of two dimensions with more than 131 072 elements has another order if it is at most 128 patches, of 64 rows and 32 columns, or else of
// 128 rows and 64 columns. A patch has 16 warps, one below the other, and their 32 lanes side by side, each with 4 rows of one column, or
// 8 rows of two. Warp w, in its upper half of rows (h = 0) or in its lower one (h = 1), is warp w / 2 of chunk 256 (w % 2) + 32 (p % 8) + 16 h +
// p / 8, where p counts patches row by row. A lane joins its elements row by row, those in the box. Then the lanes, warps and 512 chunks are
// joined as above.
//
// A larger box with .in_patches() has patches of 16 R rows and 128 columns, if it has at least three eighths of the elements of 128 of them. R is the least
// number from 9 to 64 for which 128 are enough. Here, h is the left half of a patch's columns or the right one, of which each of the 32 lanes has R rows of two.
namespace documented_order {

template <class T, class Op>
T tile_of_lanes(std::vector<T> lane, Op op) {
    for (std::size_t distance : {16u, 8u, 4u, 2u, 1u})
        for (std::size_t l = 0; l < 256; ++l)
            if (l % 32 < distance) lane[l] = op(lane[l], lane[l + distance]);
    std::vector<T> warp(8);
    for (std::size_t w = 0; w < 8; ++w) warp[w] = lane[32 * w];
    for (std::size_t distance : {4u, 2u, 1u})
        for (std::size_t w = 0; w < distance; ++w) warp[w] = op(warp[w], warp[w + distance]);
    return warp[0];
}
template <class T, class Op>
T tile(const std::vector<T>& terms, std::size_t first, std::size_t stride, T identity, Op op) {
    std::vector<T> lane(256, identity);
    for (std::size_t l = 0; l < 256; ++l)
        for (std::size_t i = first + l; i < terms.size(); i += stride) lane[l] = op(lane[l], terms[i]);
    return tile_of_lanes(lane, op);
}

template <class T, class Op>
T join(const std::vector<T>& terms, T identity, Op op) {
    std::size_t chunks = (terms.size() + 255) / 256;
    if (chunks > 512) chunks = 512;
    std::vector<T> partial;
    for (std::size_t c = 0; c < chunks; ++c) partial.push_back(tile(terms, 256 * c, 256 * chunks, identity, op));
    if (partial.empty()) return identity;
    return partial.size() == 1 ? partial[0] : tile(partial, 0, 256, identity, op);
}

// Of a box's patches; none if it is not cut.
struct patches_of_box {
    std::size_t rows_of_lane = 0, columns_of_lane = 0, across = 0;

    patches_of_box(std::size_t rows, std::size_t columns, bool in_patches) {
        const auto pieces = [](std::size_t side, std::size_t by) { return (side + by - 1) / by; };
        if (rows * columns <= 131'072) return;
        for (const std::size_t one : {1u, 2u})
            if (across == 0 && pieces(rows, 64 * one) * pieces(columns, 32 * one) <= 128) choose(4 * one, one, pieces(columns, 32 * one));
        if (across != 0) return;
        const std::size_t aside = pieces(columns, 128);
        std::size_t of_lane = 9;
        while (aside <= 128 && pieces(rows, 16 * of_lane) > 128 / aside) ++of_lane;
        if (in_patches && aside <= 128 && of_lane <= 64 && 8 * rows * columns >= 3 * 128 * 128 * 16 * of_lane) choose(of_lane, 4, aside);
    }
    void choose(std::size_t of_rows, std::size_t of_columns, std::size_t aside) {
        rows_of_lane = of_rows;
        columns_of_lane = of_columns;
        across = aside;
    }
};
template <class T, class Op>
T join_box(const std::vector<T>& terms, std::size_t rows, std::size_t columns, T identity, Op op, bool in_patches = false) {
    const patches_of_box patch(rows, columns, in_patches);
    if (patch.across == 0) return join(terms, identity, op);
    const std::size_t down = patch.rows_of_lane, aside = patch.columns_of_lane;
    const bool is_large = aside == 4;
    std::vector<std::vector<T>> chunks(512, std::vector<T>(256, identity));
    for (std::size_t p = 0; p < 128; ++p)
        for (std::size_t w = 0; w < 16; ++w)
            for (std::size_t r = 0; r < down; ++r)
                for (std::size_t c = 0; c < 32 * aside; ++c) {
                    const std::size_t half = is_large ? c / 64 : 2 * r / down, lane_of_warp = is_large ? c % 64 / 2 : c / aside;
                    const std::size_t row = (p / patch.across * 16 + w) * down + r, column = p % patch.across * 32 * aside + c;
                    T& lane = chunks[256 * (w % 2) + 32 * (p % 8) + 16 * half + p / 8][32 * (w / 2) + lane_of_warp];
                    if (row < rows && column < columns) lane = op(lane, terms[row * columns + column]);
                }
    std::vector<T> partial(512);
    for (std::size_t c = 0; c < 512; ++c) partial[c] = tile_of_lanes(chunks[c], op);
    return tile(partial, 0, 256, identity, op);
}

}  // namespace documented_order
