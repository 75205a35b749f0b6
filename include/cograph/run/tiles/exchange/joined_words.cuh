// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/lane_order.hpp>
#include <cograph/plan/persistent/word_join.hpp>
#include <cograph/run/tiles/exchange/word_tables.cuh>

namespace cograph::core {

// Words of all blocks, joined in any order: sums of integers, or the largest.
template <class Tile>
class joined_words : public word_tables<Tile> {
    using word_tables<Tile>::meeting_, word_tables<Tile>::own_copy;

public:
    __device__ void end(Tile const& tile) const {
        this->clear(word_turns * word_copies, tile.number);
    }
    __device__ unsigned meetings() const { return meeting_; }

    template <word_join Join>
    __device__ static unsigned long long join_in_warp(unsigned long long word) {
#if __CUDA_ARCH__ >= 800
        constexpr bool in_halves = Join == word_join::largest;
#else
        constexpr bool in_halves = false;
#endif
        if constexpr (in_halves) {
            const unsigned high = static_cast<unsigned>(word >> 32), highest = __reduce_max_sync(~0u, high);
            const unsigned low = __reduce_max_sync(~0u, high == highest ? static_cast<unsigned>(word) : 0u);
            return static_cast<unsigned long long>(highest) << 32 | low;
        } else {
#pragma unroll
            for (int by = warp_lanes / 2; by > 0; by /= 2) word = join_two<Join>(word, __shfl_xor_sync(~0u, word, by));
            return word;
        }
    }
    // The first warp of a block sends its word to this meeting.
    __device__ void send(unsigned long long word) const {
        if (Tile::lane() < word_copies) this->template word_of<unsigned long long>(copy_of(meeting_, Tile::lane()), static_cast<int>(blockIdx.x))->put(word, meeting_);
    }
    // It waits for the words that all blocks have sent to a meeting, this one or the last one, and joins them.
    template <word_join Join>
    __device__ unsigned long long join_blocks(unsigned meeting) const {
        words found = {};
        asked_words asked;
        do ask(meeting, asked);
        while (!have_arrived(meeting, asked, found));
        return join_in_warp<Join>(join_parts<Join>(found.of));
    }
    // The same in two parts: other work may stand between them.
    static constexpr int parts = most_tile_blocks / warp_lanes;
    template <class Word, int Count>
    struct asked_for {
        typename exchanged<Word>::found_words of[Count];
    };
    using asked_words = asked_for<unsigned long long, parts>;
    using asked_word = asked_for<unsigned long long, 1>;
    __device__ void ask(unsigned meeting, asked_words& asked) const {
#pragma unroll
        for (int i = 0; i < parts; ++i) asked.of[i] = this->template word_of<unsigned long long>(copy_of(meeting, own_copy()), Tile::lane() + i * warp_lanes)->ask();
    }
    template <word_join Join>
    __device__ unsigned long long join_asked(unsigned meeting, asked_words& asked) const {
        words found = {};
        while (!have_arrived(meeting, asked, found)) ask(meeting, asked);
        return join_in_warp<Join>(join_parts<Join>(found.of));
    }

    // A part of the blocks, a word for each thread of a warp.
    __device__ void ask_part(unsigned meeting, int part, asked_word& asked) const {
        asked.of[0] = this->template word_of<unsigned long long>(copy_of(meeting, own_copy()), Tile::lane() + part * warp_lanes)->ask();
    }
    template <word_join Join>
    __device__ unsigned long long join_part(unsigned meeting, int part, asked_word& asked) const {
        unsigned long long found = 0;
        if (Tile::lane() + part * warp_lanes < static_cast<int>(gridDim.x))
            while (!exchanged<unsigned long long>::value_of(asked.of[0], found, meeting)) ask_part(meeting, part, asked);
        __syncwarp();
        return join_in_warp<Join>(found);
    }
    // The same without asking before. The warp stays together: otherwise the compiler spilled what it asks for.
    template <word_join Join>
    __device__ unsigned long long join_part(unsigned meeting, int part) const {
        const bool waits = Tile::lane() + part * warp_lanes < static_cast<int>(gridDim.x);
        const auto* const from = this->template word_of<unsigned long long>(copy_of(meeting, own_copy()), Tile::lane() + part * warp_lanes);
        unsigned long long found;
        bool arrived;
        do {
            typename exchanged<unsigned long long>::found_words asked = {};
            from->ask_if(waits, asked);
            arrived = exchanged<unsigned long long>::value_of(asked, found, meeting);
        } while (!__all_sync(~0u, arrived || !waits));
        return join_in_warp<Join>(found);
    }
    // The words of all parts, joined.
    template <word_join Join>
    __device__ static unsigned long long join_parts(const unsigned long long (&of_parts)[parts]) {
        unsigned long long word = of_parts[0];
#pragma unroll
        for (int i = 1; i < parts; ++i) word = join_two<Join>(word, of_parts[i]);
        return word;
    }

private:
    template <word_join Join>
    __device__ static unsigned long long join_two(unsigned long long a, unsigned long long b) {
        if constexpr (Join == word_join::sum)
            return a + b;
        else
            return a > b ? a : b;
    }
    struct words {
        unsigned long long of[parts];
    };
    __device__ static bool have_arrived(unsigned meeting, asked_words const& asked, words& found) {
        bool all = true;
#pragma unroll
        for (int i = 0; i < parts; ++i) {
            const bool arrived = exchanged<unsigned long long>::value_of(asked.of[i], found.of[i], meeting), is_there = Tile::lane() + i * warp_lanes < static_cast<int>(gridDim.x);
            all = all && (arrived || !is_there);
            if (!is_there) found.of[i] = 0;
        }
        return all;
    }
    // A copy of the table of a meeting. A block that has the words of one meeting may send those of the next but one, while others still wait for those of
    // the meeting before: so there are four in turn.
    __device__ static unsigned copy_of(unsigned meeting, int copy) { return meeting % word_turns * word_copies + static_cast<unsigned>(copy); }
};

}  // namespace cograph::core
