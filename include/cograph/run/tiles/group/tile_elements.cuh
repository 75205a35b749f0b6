// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/group/element_parameters.cuh>
#include <cograph/run/tiles/group/tile_members.cuh>
#include <cograph/run/tiles/group/tile_sums.cuh>

#include <type_traits>
#include <utility>

namespace cograph::core {

// A thread's work for its elements in a phase of a group, a part of them after another: the parameters of a part's elements are in registers together.
// Written: a bit for each variable that nodes of the phase write. Inner: all elements of the part exist, and in one dimension all neighbours that are
// read. First: the number of the first element.
template <class... Steps>
class tile_elements {
    using members = tile_members<Steps...>;
    using numbers = typename members::numbers;

public:
    template <int Phase, unsigned Written, class Pack, class Tiles, class Sums, int... Part>
    __device__ static void run_parts(Pack const& pack, Tiles& tiles, Sums& sums, std::integer_sequence<int, Part...>) {
        (run_part<Phase, Written, Part>(pack, tiles, sums), ...);
    }
    // Elements next to each other. At an edge, the loads of all come before the tests whether the elements exist: the compiler may not move these reads after a branch.
    template <int Phase, bool Inner, unsigned Written, int First, class Pack, class Tiles, class Sums, int... R>
    __device__ static void run_elements(Pack const& pack, Tiles& tiles, Sums& sums, std::integer_sequence<int, R...> elements) {
        const parameter_pack<decltype(elements), decltype(parameters_in_phase<Phase>(pack_of_tile<Pack, Tiles, First + R, Inner, Written>{pack, tiles}, numbers{}))...> parameters(
            parameters_in_phase<Phase>(pack_of_tile<Pack, Tiles, First + R, Inner, Written>{pack, tiles}, numbers{})...);
        if constexpr (!Inner && Tiles::rank == 1) asm volatile("" ::: "memory");
        using tile = typename Tiles::tile_type;
        // Functions are called for elements that do not exist, too, if they get only elements: of tall tiles, this is not asked.
        constexpr bool all = Inner || tile::overlaps || (tile::is_large && tile::kind != tile_kind::tall), all_count = !tile::overlaps && (Inner || !tile::is_large);
        (run_element<Phase, tile::half_of(First + R)>(all || tiles.tile.exists(First + R), all_count || tiles.tile.is_of_tile(First + R), place_of<!Inner && tile::is_large>(tiles.tile, First + R), pack, parameter<R>(parameters), sums, numbers{}), ...);
        if constexpr (Tiles::rank == 1) asm volatile("" ::: "memory");
    }

private:
    template <int Phase, unsigned Written, int Part, class Pack, class Tiles, class Sums>
    __device__ static void run_part(Pack const& pack, Tiles& tiles, Sums& sums) {
        if constexpr (Tiles::rank == 3)
            if (!tiles.tile.has_part(Part)) return;
        // Of blocks that compute elements around their tiles, only what neighbours a node reads depends on it.
        constexpr bool are_alike = Tiles::tile_type::overlaps && members::template read_near<Tiles, Phase>() == 0;
        if (are_alike || (tiles.inner_parts >> Part & 1) != 0)
            run_part<Phase, true, Written, Part>(pack, tiles, sums);
        else
            run_part<Phase, false, Written, Part>(pack, tiles, sums);
    }
    template <int Phase, bool Inner, unsigned Written, int Part, class Pack, class Tiles, class Sums>
    __device__ static void run_part(Pack const& pack, Tiles& tiles, Sums& sums) {
        using tile = typename Tiles::tile_type;
        __syncwarp();  // for the compiler, which else doubts that all of the warp are here
        if constexpr (Tiles::rank != 2)
            run_elements<Phase, Inner, Written, Part * tile::some>(pack, tiles, sums, std::make_integer_sequence<int, tile::some>{});
        else
            run_rows<Phase, Inner, Written>(pack, tiles, sums, std::make_integer_sequence<int, tile::own_rows>{});
    }
    template <int Phase, bool Inner, unsigned Written, class Pack, class Tiles, class Sums, int... Row>
    __device__ static void run_rows(Pack const& pack, Tiles& tiles, Sums& sums, std::integer_sequence<int, Row...>) {
        constexpr int columns = Tiles::tile_type::own_columns;
        ((tiles.template hold<members::template read_near<Tiles, Phase>(), Row>(),
          run_elements<Phase, Inner, Written, Row * columns>(pack, tiles, sums, std::make_integer_sequence<int, columns>{})),
         ...);
    }
    template <bool Clamps, class Tile>
    __device__ static auto place_of(Tile const& tile, int e) {
        if constexpr (Clamps)
            return tile.template place<true>(e);
        else
            return tile.place(e);
    }
    // The parameters of all nodes of a phase, for one element.
    template <int Phase, class Element, int... I>
    __device__ static auto parameters_in_phase(Element const& element, std::integer_sequence<int, I...>) {
        return parameter_pack<numbers, decltype(parameters_of_step<members::in_phase(I, Phase), Steps>(element, std::make_integer_sequence<int, Steps::count>{}))...>(
            parameters_of_step<members::in_phase(I, Phase), Steps>(element, std::make_integer_sequence<int, Steps::count>{})...);
    }
    struct no_parameters {};
    template <bool Now, class Step, class Element, int... P>
    __device__ static auto parameters_of_step(Element const& element, std::integer_sequence<int, P...> all) {
        if constexpr (Now)
            return parameter_pack<decltype(all), std::remove_cvref_t<decltype(parameter<Step::first + P>(element))>...>(parameter<Step::first + P>(element)...);
        else
            return no_parameters{};
    }
    // Half: of the thread's sum.
    template <int Phase, int Half, class Place, class Pack, class Parameters, class Sums, int... I>
    __device__ static void run_element(bool is_there, bool counts, Place const& place, Pack const& pack, Parameters const& parameters, Sums& sums, std::integer_sequence<int, I...>) {
        if (is_there) (call<members::in_phase(I, Phase), Half, Steps>(counts, place, pack, parameter<I>(parameters), own_parameter<I>(sums), std::make_integer_sequence<int, Steps::count>{}), ...);
    }
    template <bool Now, int Half, class Step, class Place, class Pack, class Parameters, class Sum, int... P>
    __device__ static void call([[maybe_unused]] bool counts, Place const& place, Pack const& pack, Parameters const& parameters, Sum& sum, std::integer_sequence<int, P...>) {
        if constexpr (Now && Step::stage::traits.reduces) {
            auto& part = part_of<Half>(sum);
            const auto term = static_cast<std::remove_reference_t<decltype(part)>>(Step::stage::term(place, parameter<P>(parameters)...));
            if (counts) part = unwrap(parameter<Step::first + 2>(pack))(part, term);
        } else if constexpr (Now)
            Step::stage::at(place, parameter<P>(parameters)...);
    }
};

}  // namespace cograph::core
