// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/launch/kernel_choice.cuh>
#include <cograph/run/persistent/persistent_kernel.cuh>
#include <cograph/run/tiles/tile_group.cuh>
#include <cograph/run/tiles/tiles_on_chip.cuh>
#include <cograph/run/tiles/variants/ahead_loop.cuh>

namespace cograph::core {

template <class P>
inline constexpr bool is_near_parameter = false;
template <class T, int... Radius>
inline constexpr bool is_near_parameter<near_pointer<T, Radius...>> = true;

template <class P>
using element_of_parameter = std::remove_cvref_t<decltype(*std::declval<P>().at)>;

// Whether a node reduces.
struct reduces {
    template <class Stage, int, int>
    static constexpr bool of() {
        return Stage::traits.reduces;
    }
};

// The counts of loops, in shared memory from `free` on.
template <class P>
__device__ void place_count(P const&, count_of_block::counts*&) {}
__device__ inline void place_count(count_of_block& count, count_of_block::counts*& free) {
    count.at = free++;
    if (threadIdx.x == 0) *count.at = {};
}
template <class... P, int... I>
__device__ void place_counts(parameter_pack<std::integer_sequence<int, I...>, P...>& pack, count_of_block::counts* free) {
    (place_count(own_parameter<I>(pack), free), ...);
}

// A whole loop as one kernel whose blocks have a tile each, of a box of planes, rows and columns; of one row if it has one dimension, of one plane if it has two.
template <class Code, int ElementsAThread, tile_kind Kind>
struct tiled_run;
template <class Plain, class Program, int Rank, int Sides, unsigned Own, int How, class Kept, int... First, class... Variable, int ElementsAThread, tile_kind Kind>
struct tiled_run<tiled_code<Plain, Program, Rank, Sides, Own, How, Kept, std::integer_sequence<int, First...>, Variable...>, ElementsAThread, Kind> {
    using tile = tile_of_block<Rank, ElementsAThread, Kind, (How & tiles_in_order) != 0>;
    // Whether threads have no registers to spare: numbers of the loop are in shared memory then. Other kernels take longer with this (measured, bench/RESULTS.md).
    static constexpr bool is_tight = any_node<reduces, Program> && Kind == tile_kind::large;
    template <class P>
    using parameter_in_tiles = choose<is_tight && std::is_same_v<P, loop_counter>, count_of_block, kept_parameter<P>>;

    template <int... Slot, int... Source, bool... Stored, int... Scalar, class... P>
    __device__ static void run(char* memory, std::integer_sequence<int, Slot...>, std::integer_sequence<int, Source...>, std::integer_sequence<bool, Stored...>,
                               std::integer_sequence<int, Scalar...> scalars, P const&... p) {
        using numbers = std::make_integer_sequence<int, sizeof...(P)>;
        const parameter_pack<numbers, P...> given(p...);
        [[maybe_unused]] parameter_pack<decltype(scalars), scalar_of<decltype(parameter<Source>(given))>...> copies(*parameter<Source>(given).at...);
        using local_pack = program_pack<std::integer_sequence<int, Slot...>, numbers, parameter_in_tiles<P>...>;
        local_pack local(local_parameter<Slot, parameter_in_tiles<P>>(p, copies)...);
        if constexpr (is_tight) {
            __shared__ count_of_block::counts counts[(0 + ... + std::is_same_v<P, loop_counter>) + 1];
            place_counts(local.all, counts);
        }
        using on_chip = tiles_on_chip<tile, is_tight ? How | tiles_are_tight : How, Kept, std::integer_sequence<bool, is_near_parameter<P>...>, chip_memory<element_of_parameter<decltype(parameter<First>(given))>, Variable, tile>...>;

        kernel_barrier<is_tight> all = begin_barrier(reinterpret_cast<barrier_memory*>(memory));
        unsigned iteration = 0;
        bool overflows = false;
        kept_numbers of_first, of_second;
        of_first.clear();
        of_second.clear();
        const persistent_context<is_tight> context{all, memory + persistent_meeting_bytes, iteration, overflows, {&of_first, &of_second}};
        if (context.leads()) parameter<0>(given).clear();
        on_chip tiles({side<Rank - 3>(given), side<Rank - 2>(given), side<Rank - 1>(given)});
        tiles.begin(memory + Own, const_cast<element_of_parameter<decltype(parameter<First>(given))>*>(parameter<First>(given).at)...);
        if constexpr (tile::keeps_part) all.wait();  // others have read the elements in memory that the loop will change
        if constexpr (on_chip::runs_ahead)
            ahead_loop<Program>::run(context, pack_with_tiles<local_pack, on_chip>{local, tiles}, copies);
        else
            run_step<Program>::run(context, pack_with_tiles<local_pack, on_chip>{local, tiles});
        tiles.end(context);
        if (context.leads()) store_counts<parameter_in_tiles<P>...>(local.all);
        if (all.leaves_last() && threadIdx.x == 0) (store_scalar<Stored>(parameter<Source>(given), parameter<Scalar>(copies)), ...);
    }

private:
    __device__ static kernel_barrier<is_tight> begin_barrier(barrier_memory* memory) {
        if constexpr (is_tight) {
            __shared__ kernel_barrier<true>::counts counts;
            return {memory, &counts};
        } else {
            return kernel_barrier<false>(memory);
        }
    }
    // The box's side of a dimension; 1 if it has fewer.
    template <int D, class Given>
    __device__ static int side(Given const& given) {
        if constexpr (D < 0)
            return 1;
        else
            return static_cast<int>(static_cast<index_t>(unwrap(parameter<Sides + D>(given))));
    }
};

template <class Code, int ElementsAThread, tile_kind Kind, class Slot, class Source, class Stored, class... P>
__global__ void __launch_bounds__(most_tile_threads(ElementsAThread), 1) tile_kernel(void* memory, P... p) {
    tiled_run<Code, ElementsAThread, Kind>::run(static_cast<char*>(memory), Slot{}, Source{}, Stored{}, std::make_integer_sequence<int, length_of<Source>>{}, p...);
}

// The kernels of a loop that may have tiles: without them, with few elements a thread or more, and of the kinds of tiles that it allows.
template <class Code>
struct kernels_with_tiles;
template <class Program, class Slot, class Place, class Source, class Stored, class... P, class Tiled, int Rank, int Sides, unsigned Own, int How, class Kept, class First, class... Variable>
struct kernels_with_tiles<tiled_code<persistent_code<Program, Slot, Place, Source, Stored, P...>, Tiled, Rank, Sides, Own, How, Kept, First, Variable...>> {
    using plain = persistent_code<Program, Slot, Place, Source, Stored, P...>;
    using code = tiled_code<plain, Tiled, Rank, Sides, Own, How, Kept, First, Variable...>;
    static constexpr unsigned bytes = (0u + ... + (Variable::passed_to < 0 ? Variable::size : 0u));
    template <int ElementsAThread, tile_kind Kind = tile_kind::plain>
    static const void* kernel() {
        return (const void*)&tile_kernel<code, ElementsAThread, Kind, Slot, Source, Stored, P...>;
    }
    template <tile_kind Kind>
    static const void* kernel_of_large() {
        return (const void*)&tile_kernel<typename code_of_large_tiles<code, (How & tiles_take_turns) != 0>::type, most_elements_of(Kind), Kind, Slot, Source, Stored, P...>;
    }
    static constexpr int many() {
        if constexpr ((How & tiles_in_order) != 0) {
            return box_order::many;
        } else if constexpr (Rank == 3) {
            tile_border radius[sizeof...(Variable)]{};
            unsigned size[sizeof...(Variable)]{};
            int images = 0;
            const auto add = [&](bool is_image, tile_border border, unsigned bytes_of_one) {
                if (!is_image) return;
                radius[images] = border;
                size[images++] = bytes_of_one;
            };
            (add(Variable::image, Variable::radius, Variable::size), ...);
            return most_planes_with_room(bytes, radius, size, images);
        } else {
            return most_tile_elements(Rank, bytes);
        }
    }
    static kernel_choice all() {
        const kernel_pair any = kernels_of_any<plain>();
        kernel_choice found{any, any, {kernel<many()>(), kernel<least_tile_elements(Rank)>()}};
        if constexpr ((How & tiles_in_order) != 0) found.of_one_element = {(const void*)sized_kernel_of_one_element<plain, persistent_threads>, (const void*)sized_kernel_of_one_element<plain, small_block>};
        if constexpr ((How & tiles_may_overlap) != 0) found.of_overlapping_tiles = {kernel<most_overlapping_elements, tile_kind::overlapping>(), kernel<least_tile_elements(Rank), tile_kind::overlapping>()};
        if constexpr ((How & tiles_may_be_tall) != 0) found.of_tall_tiles = kernel_of_large<tile_kind::tall>();
        if constexpr ((How & tiles_may_be_large) != 0) found.of_large_tiles = kernel_of_large<tile_kind::large>();
        if constexpr ((How & tiles_may_keep_part) != 0) found.of_parts = kernel_of_large<tile_kind::in_part>();
        return found;
    }
};

}  // namespace cograph::core
