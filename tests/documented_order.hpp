// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

// The order in which every way to run joins the terms of a reduction, written again. Tiles of 256 lanes take chunks, 512 at most: lane
// l of chunk c joins 256 c + l and, in order, the elements that lie a multiple of 256 times the number of chunks behind it; within each
// warp lanes at distance 16, 8, 4, 2, 1 are joined, then the 8 warps at distance 4, 2, 1. The chunks' results are joined by one tile in
// the same way.
namespace documented_order {

template <class T, class Op>
T tile(const std::vector<T>& terms, std::size_t first, std::size_t stride, T identity, Op op) {
    std::vector<T> lane(256, identity);
    for (std::size_t l = 0; l < 256; ++l)
        for (std::size_t i = first + l; i < terms.size(); i += stride) lane[l] = op(lane[l], terms[i]);
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
T join(const std::vector<T>& terms, T identity, Op op) {
    std::size_t chunks = (terms.size() + 255) / 256;
    if (chunks > 512) chunks = 512;
    std::vector<T> partial;
    for (std::size_t c = 0; c < chunks; ++c) partial.push_back(tile(terms, 256 * c, 256 * chunks, identity, op));
    if (partial.empty()) return identity;
    return partial.size() == 1 ? partial[0] : tile(partial, 0, 256, identity, op);
}

}  // namespace documented_order
