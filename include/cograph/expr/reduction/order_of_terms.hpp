// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/stage.hpp>

#include <cstdint>

namespace cograph::core {

COGRAPH_HD inline unsigned reversed_bits(unsigned bits, int count) {
#if defined(__CUDA_ARCH__)
    return __brev(bits) >> (32 - count);
#else
    unsigned reversed = 0;
    for (int i = 0; i < count; ++i) reversed |= (bits >> i & 1) << (count - 1 - i);
    return reversed;
#endif
}

// The order in which the terms of a reduction are joined. Elements of a lane follow each other; lanes, warps and chunks are joined in pairs, the nearest last.
// An operation that takes one of two terms takes the first or the last of several that are alike.
struct order_of_terms {
    static constexpr int bits_of_lane = 8, bits_in_warp = 5, bits_of_round = 44;

    // Fewer chunks than there can be have one element a lane.
    static constexpr int bits_of_chunk = bits_of_lane + 1;
    static_assert(reduce_layout::most_chunks == 1 << bits_of_chunk && reduce_layout::lanes == 1 << bits_of_lane);

    // Below 2^61.
    COGRAPH_HD static std::uint64_t place_of(index_t element) {
        const auto i = static_cast<std::uint64_t>(element);
        const unsigned lane = static_cast<unsigned>(i) % reduce_layout::lanes, chunk = static_cast<unsigned>(i >> bits_of_lane) % reduce_layout::most_chunks;
        const unsigned above = turned(chunk % reduce_layout::lanes) << 1 | chunk / reduce_layout::lanes;
        return std::uint64_t{above << bits_of_lane | turned(lane)} << bits_of_round | i >> (bits_of_lane + bits_of_chunk);
    }
    COGRAPH_HD static index_t element_at(std::uint64_t place) {
        const auto above = static_cast<unsigned>(place >> bits_of_round), chunk = above >> bits_of_lane;
        const std::uint64_t round = place & ((std::uint64_t{1} << bits_of_round) - 1);
        const unsigned within = (turned(chunk >> 1) | (chunk & 1) * reduce_layout::lanes) << bits_of_lane | turned(above % reduce_layout::lanes);
        return static_cast<index_t>(round << (bits_of_lane + bits_of_chunk) | within);
    }

private:
    static constexpr int bits_of_warp = bits_of_lane - bits_in_warp;
    // Its own inverse.
    COGRAPH_HD static unsigned turned(unsigned lane) {
        return reversed_bits(lane >> bits_in_warp, bits_of_warp) << bits_in_warp | reversed_bits(lane & ((1u << bits_in_warp) - 1), bits_in_warp);
    }
};

}  // namespace cograph::core
