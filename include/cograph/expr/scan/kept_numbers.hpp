// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/scan/segment_terms.hpp>

namespace cograph::core {

// What a thread of a group has found of the group's tiles in a persistent kernel whose loop leaves the segments as they are: of which segment its terms
// are. Threads keep it after the first pass, if all terms belong to segments and none is far from the first one of its tile.
struct kept_numbers {
    static constexpr int most_tiles = 4, most_apart = 0x7fff;
    struct alignas(16) terms {
        unsigned pairs[terms_of_lane / 2];  // of each term 15 bits, and whether it is the last one of its segment
    };
    terms of_tile[most_tiles];
    int first[most_tiles];  // the segment of a tile's first term; in bit 0, whether terms of it are in the chunk before
    int tile;               // the next one in this pass
    bool known, fails;

    COGRAPH_HD void clear() { known = fails = false; }
    COGRAPH_HD void begin_pass() { tile = 0; }
    COGRAPH_HD void end_pass() { known = !fails; }

    // All threads of a group say the same except for the terms. of_all: the number of the tile's last term.
    COGRAPH_HD void put(index_t near, bool crosses, unsigned of_all, numbered_terms const& found) {
        if (tile == most_tiles || near >= index_t{1} << 30 || of_all > most_apart) fails = true;
        if (fails) return;
        first[tile] = static_cast<int>(near) * 2 + crosses;
        for (int j = 0; j < terms_of_lane; j += 2)
            of_tile[tile].pairs[j / 2] = packed(found, j) | packed(found, j + 1) << 16;
        ++tile;
    }
    COGRAPH_HD numbered_terms take() {
        const terms from = of_tile[tile++];
        numbered_terms found{{}, 0};
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
        for (int j = 0; j < terms_of_lane; ++j) {
            const unsigned own = from.pairs[j / 2] >> j % 2 * 16;
            found.segment[j] = own >> 1 & most_apart;
            found.at_end |= (own & 1) << j;
        }
        return found;
    }

private:
    COGRAPH_HD static unsigned packed(numbered_terms const& found, int j) { return found.segment[j] << 1 | (found.at_end >> j & 1); }
};
constexpr int most_kept_numbers = 2;  // of nodes in a kernel

// The numbers of a chunk's terms: found; found and kept; or kept before. A group that finds numbers meets between two tiles. If it knows them,
// warps of it may be in the next tile while others are in this one, and tiles exchange values of warps in two rooms by turns.
struct found_numbers {
    static constexpr bool are_known = false;
    static constexpr int rooms = 1;
    COGRAPH_HD static int room() { return 0; }
    bool crosses = false;  // terms of the first segment are in chunks before this one

#ifdef __CUDACC__
    template <class Tile, class Group>
    __device__ numbered_terms of(Tile const& tile, Group const& group, index_t near, unsigned& of_all) {
        return tile.number(group, near, of_all);
    }
#endif
};
struct numbers_to_keep : found_numbers {
    kept_numbers& kept;
    COGRAPH_HD explicit numbers_to_keep(kept_numbers& in) : kept(in) {}

#ifdef __CUDACC__
    template <class Tile, class Group>
    __device__ numbered_terms of(Tile const& tile, Group const& group, index_t near, unsigned& of_all) {
        const numbered_terms found = tile.number(group, near, of_all);
        kept.put(near, crosses, of_all, found);
        return found;
    }
#endif
};
struct known_numbers {
    static constexpr bool are_known = true;
    static constexpr int rooms = 2;
    kept_numbers& kept;
    bool crosses = false;

    COGRAPH_HD explicit known_numbers(kept_numbers& in) : kept(in) {}
    COGRAPH_HD int room() const { return kept.tile % 2; }
    COGRAPH_HD index_t near() const { return kept.first[kept.tile] >> 1; }
    COGRAPH_HD bool first_crosses() const { return kept.first[kept.tile] & 1; }
    template <class Tile, class Group>
    COGRAPH_HD numbered_terms of(Tile const&, Group const&, index_t, unsigned&) {
        return kept.take();
    }
};

}  // namespace cograph::core
