// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

#include <algorithm>
#include <cstdint>

namespace cograph::core {

constexpr index_t greatest_common_divisor(index_t a, index_t b) { return b == 0 ? a : greatest_common_divisor(b, a % b); }

// A shuffled run goes over blocks in a random order. In each block it takes half of the elements, those at the first places of a random
// order, and then, in all blocks, the other half. Many blocks, and the places in them, come from the last to the first, as fast as memory.
struct shuffled_elements {
    static constexpr index_t most = 256;
    index_t block = most, blocks, step, odd, shift;
    std::uint64_t seed;

    shuffled_elements(std::uint64_t number, index_t n) : seed(number) {
        while (block / 2 >= n && block > 2) block /= 2;
        blocks = (n + block - 1) / block;
        step = are_many() ? blocks - 1 : 1 + static_cast<index_t>(seed >> 16 & 0xffff) % blocks;
        while (greatest_common_divisor(step, blocks) != 1) ++step;
        odd = static_cast<index_t>(seed & 255) | 1;
        shift = static_cast<index_t>(seed >> 8 & 255);
    }
    bool are_many() const { return blocks > 32; }
    index_t block_at(index_t turn) const { return (blocks / 2 + turn * step) % blocks; }
    // The place in its block of the element whose turn it is, of few blocks.
    index_t place_at(index_t turn) const { return (turn * odd + shift) & (block - 1); }
    // The first turn of a half of a block.
    index_t first_turn(index_t of, bool first_half) const {
        std::uint64_t mixed = (static_cast<std::uint64_t>(of) + seed) * 0x9e3779b97f4a7c15u;  // of a product alone, bits of blocks at some distances are alike
        mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93u;
        return first_half != (mixed >> 63 != 0) ? 0 : block / 2;
    }
    bool is_in_first_half(index_t i) const {
        for (index_t turn = first_turn(i / block, true), last = turn + block / 2; turn < last; ++turn)
            if (place_at(turn) == i % block) return true;
        return false;
    }
};
// The places of many blocks, each half of them sorted.
struct sorted_places {
    std::uint16_t of[shuffled_elements::most];  // not of bytes, which may be parts of what elements write

    explicit sorted_places(const shuffled_elements& order) {
        constexpr index_t all = shuffled_elements::most;
        for (index_t turn = 0; turn < all; ++turn) of[turn] = static_cast<std::uint16_t>(order.place_at(turn));
        for (std::uint16_t* const half : {of, of + all / 2}) std::sort(half, half + all / 2, [](std::uint16_t a, std::uint16_t b) { return a > b; });
    }
};

}  // namespace cograph::core
