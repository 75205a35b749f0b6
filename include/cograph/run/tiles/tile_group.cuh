// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/group/beyond_tile.cuh>
#include <cograph/run/tiles/group/tile_elements.cuh>
#include <cograph/run/tiles/group/tile_reductions.cuh>
#include <cograph/run/tiles/variants/rows_together.cuh>

#include <utility>

namespace cograph::core {

// The parameters of a persistent kernel with tiles, and its variables on chip.
template <class... Steps>
struct tile_group;
template <class Pack, class Tiles>
struct pack_with_tiles {
    Pack const& pack;
    Tiles& tiles;
    static constexpr bool is_tight = Tiles::is_tight;
    template <class... Steps>
    __device__ void run(auto const& context) const {
        tile_group<Steps...>::run(context, *this);
    }
};
template <int I, class Pack, class Tiles>
__device__ decltype(auto) parameter(pack_with_tiles<Pack, Tiles> const& p) {
    return parameter<I>(p.pack);
}

// Nodes over the elements of a tile: in phases, between which the threads of a block synchronize. If some reduce, a
// barrier follows.
template <class... Steps>
struct tile_group {
    using leader = typename pick_type<0, Steps...>::type;
    using members = tile_members<Steps...>;
    using reductions = tile_reductions<typename members::numbers, Steps...>;

    template <class Pack, class Tiles>
    __device__ static void run(auto const& context, pack_with_tiles<Pack, Tiles> const& with) {
        with.tiles.template order<leader::before>(context);
        const bool has_fetched = with.tiles.template fetch<members::template read_near<Tiles, -1>()>(context);
        if constexpr (Tiles::rank == 2 && !Tiles::tile_type::overlaps && (!Tiles::in_order || Tiles::tile_type::is_large)) {
            // Always: behind a barrier in a branch, the compiler doubts that all of a warp are here, and mixes no instructions of two rows.
            __syncwarp();
            __syncthreads();
        } else if (has_fetched) {
            __syncthreads();
        }
        run(context, with.pack, with.tiles, typename members::numbers{}, std::make_integer_sequence<int, members::phases>{});
        with.tiles.all_have_met = members::reductions > 0;
    }

private:
    // One function: nvcc makes other code of several.
    template <class Pack, class Tiles, int... I, int... Phase>
    __device__ static void run(auto const& context, Pack const& pack, Tiles& tiles, std::integer_sequence<int, I...> numbers, std::integer_sequence<int, Phase...> phases) {
        parameter_pack<decltype(numbers), sum_of<Steps, I, Pack, Tiles>...> sums(sum_of<Steps, I, Pack, Tiles>(members::template member<Steps, I>::start(pack))...);
        if constexpr (members::reductions > 0 && Tiles::in_order) {
            if constexpr (Tiles::tile_type::is_large)
                rows_together<Steps...>::run(pack, tiles, sums, phases);
            else
                (run_phase<members::phases + Phase>(pack, tiles, sums), ...);
            reductions::leave_in_order(pack, tiles, sums);
            __syncthreads();
            reductions::bring_in_order(pack, tiles);
            if constexpr (!Tiles::tile_type::is_large) (run_phase<2 * members::phases + Phase>(pack, tiles, sums), ...);  // while words are on their way
            reductions::meet_in_order(pack, tiles);
            tiles.template fetch<~0u>(context);
            __syncthreads();
            reductions::finish_in_order(pack);
            if constexpr (!Tiles::writes_no_memory) context.barrier_all.wait();  // orders writes to memory
        } else {
            if constexpr (Tiles::tile_type::is_large || Tiles::passes_rows)
                rows_together<Steps...>::run(pack, tiles, sums, phases);
            else
                (run_phase<Phase>(pack, tiles, sums), ...);
            reductions::join(context, pack, tiles, sums);
        }
    }
    template <class Step, int I, class Pack, class Tiles>
    using sum_of = sums_in_tile<Tiles, decltype(members::template member<Step, I>::start(std::declval<Pack const&>()))>;

    template <int Phase, class Pack, class Tiles, class Sums>
    __device__ static void run_phase(Pack const& pack, Tiles& tiles, Sums& sums) {
        if constexpr (members::has_members(Phase)) {
            constexpr unsigned writes = members::template written<Phase, Tiles, Pack>();
            if constexpr (Phase > 0 && Tiles::rank != 2) __syncthreads();  // of two dimensions, others read from another copy
            tiles.find_again();
            tiles.template begin_phase<writes>();
            if (Tiles::tile_type::overlaps || tiles.any) tile_elements<Steps...>::template run_parts<Phase, writes>(pack, tiles, sums, std::make_integer_sequence<int, Tiles::elements_a_thread / Tiles::tile_type::some>{});
            beyond_tile<Steps...>::template compute<Phase, writes>(pack, tiles);
            int good[Tiles::variables];
            beyond_tile<Steps...>::template find_good<Phase, Pack>(tiles, good);
            tiles.template end_phase<writes>(good);
        }
    }
};

}  // namespace cograph::core
