// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/group/tile_elements.cuh>
#include <cograph/run/tiles/variants/rows_in_turn.cuh>

#include <type_traits>
#include <utility>

namespace cograph::core {

// A group in large tiles, whose threads have more rows than registers, or of other tiles in which a copy passes variables on: all phases for a row before the next
// row. What is written in one phase is kept only for its row.
template <class... Steps>
class rows_together {
    using members = tile_members<Steps...>;

public:
    template <class Pack, class Tiles, class Sums, int... Phase>
    __device__ static void run(Pack const& pack, Tiles& tiles, Sums& sums, std::integer_sequence<int, Phase...> all) {
        constexpr unsigned writes = (members::template written<Phase, Tiles, Pack>() | ...);
        tiles.find_again();
        if constexpr (Tiles::takes_turns) tiles.template memory<0>().turn(members::template begins_with_second<Tiles, Pack>(), members::template writes_second<Tiles, Pack>(), tiles.template memory<1>().memory);
        tiles.template begin_phase<writes>();
        __syncwarp();
        if (tiles.any) {
            using rows = std::make_integer_sequence<int, Tiles::tile_type::own_rows>;
            if (tiles.inner_parts & 1)
                run_rows<true, writes>(pack, tiles, sums, rows{}, all);
            else
                run_rows<false, writes>(pack, tiles, sums, rows{}, all);
        }
        const int good[Tiles::variables]{};
        tiles.template end_phase<writes>(good);
    }

private:
    template <bool Inner, unsigned Writes, class Pack, class Tiles, class Sums, int... Row, class Phases>
    __device__ static void run_rows(Pack const& pack, Tiles& tiles, Sums& sums, std::integer_sequence<int, Row...> rows, Phases phases) {
        if constexpr (!Tiles::tile_type::is_large)
            (run_row<Inner, Writes, Row>(pack, tiles, sums, phases), ...);
        else
            run_rows_in_turn<Inner, Writes>(pack, tiles, sums, rows, phases);
    }
    template <bool Inner, unsigned Writes, class Pack, class Tiles, class Sums, int... Row, class Phases>
    __device__ static void run_rows_in_turn(Pack const& pack, Tiles& tiles, Sums& sums, std::integer_sequence<int, Row...>, Phases phases) {
        auto& image = tiles.template memory<0>();
        constexpr int passing = std::remove_cvref_t<decltype(image)>::passing;
        constexpr int rows_at_once = Tiles::tile_type::keeps_part && members::reductions > 0 ? 1 : 2;  // then threads have no registers for more
        constexpr bool goes_back = !Tiles::is_tight && Tiles::images_in_turn == 1;  // to a position, which takes registers while rows pass
        [[maybe_unused]] const auto start = image.here(tiles.tile);
        find_passing(tiles, passing_where::shared_memory);
        __syncwarp();
        (run_row_if<(Row < passing), Inner, Writes, Row>(pack, tiles, sums, phases), ...);
#pragma unroll(rows_at_once)
        for (int row = image.passing_in_shared(tiles.tile); row > 0; --row) {
            __syncwarp();
            run_row<Inner, Writes, passing>(pack, tiles, sums, phases);
            step_down(tiles);
        }
        if constexpr (Tiles::tile_type::keeps_part) {
            find_passing(tiles, passing_where::memory);
#pragma unroll 1
            for (int row = image.passing_rows(tiles.tile) - image.passing_in_shared(tiles.tile); row > 0; --row) {
                __syncwarp();
                run_row<Inner, Writes, passing>(pack, tiles, sums, phases);
                step_down(tiles);
            }
            find_passing(tiles, passing_where::any);
        }
        __syncwarp();
        leave_passing(tiles);
        (run_row_if<(Row > passing), Inner, Writes, Row>(pack, tiles, sums, phases), ...);
        if constexpr (goes_back)
            image.go_back(tiles.tile, start);
        else
            step_by(tiles, 1 - image.passing_rows(tiles.tile));
    }
    template <class Tiles>
    __device__ static void find_passing(Tiles& tiles, passing_where now) {
        tiles.each_in_turn([&](auto& image) { image.whereabouts = now; });
    }
    // The next row takes the place of the passing one, or, if all have passed, the last gives it back.
    template <class Tiles>
    __device__ static void step_down(Tiles& tiles) {
        tiles.each_in_turn([](auto& image) { image.move_up(); });
        step_by(tiles, 1);
    }
    template <class Tiles>
    __device__ static void leave_passing(Tiles& tiles) {
        tiles.each_in_turn([](auto& image) { image.move_down(); });
        step_by(tiles, -1);
    }
    template <class Tiles>
    __device__ static void step_by(Tiles& tiles, int rows) {
        tiles.tile.step_down(rows);
        tiles.each_in_turn([&](auto& image) { image.step_by(rows); });
    }
    template <bool Now, bool Inner, unsigned Writes, int Row, class Pack, class Tiles, class Sums, class Phases>
    __device__ static void run_row_if(Pack const& pack, Tiles& tiles, Sums& sums, Phases phases) {
        if constexpr (Now) run_row<Inner, Writes, Row>(pack, tiles, sums, phases);
    }
    template <bool Inner, unsigned Writes, int Row, class Pack, class Tiles, class Sums, int... Phase>
    __device__ static void run_row(Pack const& pack, Tiles& tiles, Sums& sums, std::integer_sequence<int, Phase...>) {
        constexpr int columns = Tiles::tile_type::own_columns;
        constexpr unsigned near = members::template read_near<Tiles, -1>();
        tiles.template hold<near, Row>();
        tiles.template load<~near, Row>();
        (tile_elements<Steps...>::template run_elements<Phase, Inner, members::template written<Phase, Tiles, Pack>(), Row * columns>(pack, tiles, sums, std::make_integer_sequence<int, columns>{}), ...);
        tiles.template leave<Writes, Row>();
    }
};

}  // namespace cograph::core
