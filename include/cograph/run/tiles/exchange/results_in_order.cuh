// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/lane_order.hpp>
#include <cograph/plan/tiles/loop/large_tiles.hpp>
#include <cograph/run/kernel/parameter_pack.cuh>
#include <cograph/run/persistent/chunk_exchange.cuh>
#include <cograph/run/tiles/exchange/word_tables.cuh>

namespace cograph::core {

static_assert(2 * most_warps + warps_of_tile == places_of_ordered_result, "those of warps and of a tile");

// Results of all blocks, joined in the order of the box's elements (plan/tiles/tile_shape.hpp: box_order). Each reduction of a group, the J-th, has
// tables of its own: two in turn, of this meeting and of the last one.
template <class Tile, int Tables>
class results_in_order : public word_tables<Tile> {
    using word_tables<Tile>::meeting_, word_tables<Tile>::own_copy;

public:
    __device__ void end(Tile const& tile) const {
        this->clear(2 * word_copies * Tables, tile.number);
    }

    // The terms of a warp's threads, those of the upper and of the lower half of their rows: the warp joins those of its two halves.
    template <int J, class T, class Op>
    __device__ void leave_in_order(T upper, T lower, Op const& op) const {
        if constexpr (Tile::is_large) return leave_columns<J>(upper, lower, op);
        const bool is_first = Tile::lane() < warp_lanes / 2;
        __syncwarp();
        const T other = from_lane_across(is_first ? lower : upper, warp_lanes / 2);
        T value = is_first ? op(upper, other) : op(other, lower);
#pragma unroll
        for (int by = warp_lanes / 4; by > 0; by /= 2) value = op(value, from_lane_behind(value, by));
        if (Tile::lane() % (warp_lanes / 2) == 0) results_of_warps<J, T>(0)[2 * Tile::warp() + Tile::lane() / (warp_lanes / 2)] = value;
    }
    // The same of two reductions, the J-th and the next one: after the first step, each half of these lanes goes on with one of them.
    template <int J, class T, class Op>
    __device__ void leave_two_in_order(T (&upper)[2], T (&lower)[2], Op const& op) const {
        if constexpr (Tile::is_large) {
            leave_columns<J>(upper[0], lower[0], op);
            return leave_columns<J + 1>(upper[1], lower[1], op);
        }
        constexpr int half = warp_lanes / 2, quarter = warp_lanes / 4;
        const bool is_first = Tile::lane() < half, is_second = (Tile::lane() & quarter) != 0;
        __syncwarp();
        const auto begin_with = [&](int which) {
            const T other = from_lane_across(is_first ? lower[which] : upper[which], half);
            return is_first ? op(upper[which], other) : op(other, lower[which]);
        };
        const T one = begin_with(0), two = begin_with(1), exchanged_with = from_lane_across(is_second ? one : two, quarter);
        T value = is_second ? op(exchanged_with, two) : op(one, exchanged_with);
#pragma unroll
        for (int by = quarter / 2; by > 0; by /= 2) value = op(value, from_lane_behind(value, by));
        if (Tile::lane() % quarter == 0) (is_second ? results_of_warps<J + 1, T>(0) : results_of_warps<J, T>(0))[2 * Tile::warp() + Tile::lane() / half] = value;
    }
    // The J-th warp joins those of its block, and sends the result to all blocks.
    template <int J, class T, class Op>
    __device__ void bring_in_order(T identity, Op const& op) const {
        if (Tile::warp() != J) return;
        T value = results_of_warps<J, T>(0)[Tile::lane()];
        value = join(join(join(value, 16, op), 8, op), 4, op);  // the warps of a chunk
        const auto of_lane = [&](int in_warp) { return shuffle_words(value, [&](unsigned word) { return __shfl_sync(~0u, word, in_warp); }); };
        const T first = of_lane(0), second = of_lane(2), third = of_lane(1), fourth = of_lane(3);
        value = op(op(op(identity, first), second), op(op(identity, third), fourth));  // chunks 256 apart, then 16
        if (Tile::lane() < word_copies) this->template word_of<T>(table_of<J>(Tile::lane()), static_cast<int>(blockIdx.x))->put(value, meeting_);
    }
    // Then it joins those of all blocks.
    template <int J, class T, class Op>
    __device__ void meet_in_order(Op const& op) const {
        if (Tile::warp() != J) return;
        constexpr int parts = most_tile_blocks / warp_lanes;
        copy_of_element<T> found[parts];
        unsigned missing;
        do {
            missing = 0;
#pragma unroll
            for (int i = 0; i < parts; ++i) missing |= this->template word_of<T>(table_of<J>(own_copy()), Tile::lane() + i * warp_lanes)->get(found[i].value, meeting_) ? 0u : 1u;
        } while (missing != 0);
        T value = op(op(found[0].value, found[2].value), op(found[1].value, found[3].value));
        value = join(join(join(join(join(value, 16, op), 8, op), 4, op), 2, op), 1, op);
        if (Tile::lane() == 0) *results_of_tile<J, T>() = value;
    }

private:
    // Of large tiles: half of a warp has all lanes of a chunk, two in each thread.
    template <int J, class T, class Op>
    __device__ void leave_columns(T left, T right, Op const& op) const {
        constexpr int half = warp_lanes / 2;
        __syncwarp();
#pragma unroll
        for (int by = half / 2; by > 0; by /= 2) {
            left = join(left, by, op);
            right = join(right, by, op);
        }
        if (Tile::lane() % half == 0) results_of_warps<J, T>(0)[2 * Tile::warp() + Tile::lane() / half] = op(left, right);
    }
    template <int J>
    __device__ unsigned table_of(int copy) const {
        return (2 * J + (meeting_ & 1)) * word_copies + static_cast<unsigned>(copy);
    }
    template <class T>
    __device__ static T from_lane_across(T const& value, int by) {
        return shuffle_words(value, [&](unsigned word) { return __shfl_xor_sync(~0u, word, by); });
    }
    template <class T>
    __device__ static T from_lane_behind(T const& value, int by) {
        return shuffle_words(value, [&](unsigned word) { return __shfl_down_sync(~0u, word, by); });
    }
    template <class T, class Op>
    __device__ static T join(T const& value, int by, Op const& op) {
        return op(value, from_lane_behind(value, by));
    }
};

}  // namespace cograph::core
