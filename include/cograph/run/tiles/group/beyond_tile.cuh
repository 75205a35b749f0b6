// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/group/element_parameters.cuh>
#include <cograph/run/tiles/group/tile_members.cuh>

#include <utility>

namespace cograph::core {

// What a phase of a group does beyond the tile. If blocks compute halos, it computes the thread's element of the halo. If blocks compute rows and columns of
// others, it finds how far around the tile its results are right.
template <class... Steps>
class beyond_tile {
    using members = tile_members<Steps...>;

public:
    // Written: a bit for each variable that nodes of the phase write.
    template <int Phase, unsigned Written, class Pack, class Tiles>
    __device__ static void compute(Pack const& pack, Tiles& tiles) {
        if constexpr ((Written & Tiles::computed_halos) != 0) {
            if (tiles.has_halo) compute_all<Phase>(pack_of_halo<Pack, Tiles, Written>{pack, tiles}, typename members::numbers{});
            __syncwarp();
        }
    }
    // Good: by variable.
    template <int Phase, class Pack, class Tiles>
    __device__ static void find_good(Tiles& tiles, int (&good)[Tiles::variables]) {
        if constexpr (Tiles::tile_type::overlaps) {
            tiles.get_good(good);
            find_all_good<Phase, Pack, Tiles>(good, tiles.tile.shape.overlap, typename members::numbers{});
        }
    }

private:
    template <int Phase, class Element, int... I>
    __device__ static void compute_all(Element const& element, std::integer_sequence<int, I...>) {
        (compute_of_step<members::in_phase(I, Phase), Steps>(element, std::make_integer_sequence<int, Steps::count>{}), ...);
    }
    template <int Phase, class Pack, class Tiles, int... I>
    __device__ static void find_all_good(int (&good)[Tiles::variables], int most, std::integer_sequence<int, I...>) {
        (find_good_of_step<members::in_phase(I, Phase), Steps, Pack, Tiles>(good, most, std::make_integer_sequence<int, Steps::count>{}), ...);
    }
    template <bool Now, class Step, class Pack, class Tiles, unsigned Written, int... P>
    __device__ static void compute_of_step([[maybe_unused]] pack_of_halo<Pack, Tiles, Written> const& element, std::integer_sequence<int, P...> all) {
        if constexpr (Now && (members::template written_by_step<Step, Tiles, Pack>(all) & Tiles::computed_halos) != 0)
            Step::stage::at(element.tiles.halo_place(), parameter<Step::first + P>(element)...);
    }
    // A step's results are right as far around the tile as all that it reads.
    template <bool Now, class Step, class Pack, class Tiles, int... P>
    __device__ static void find_good_of_step([[maybe_unused]] int (&good)[Tiles::variables], [[maybe_unused]] int most, std::integer_sequence<int, P...>) {
        if constexpr (Now) {
            int least = most;
            const auto reads = [&](int parameter) {
                const int k = Tiles::kept(parameter);
                if (k < 0 || Tiles::overwrites(parameter)) return;
                const int far = good[k] - (Tiles::is_near(parameter) ? Tiles::reads_away(k) : 0);
                if (far < least) least = far;
            };
            (reads(Step::first + P), ...);
            ((Tiles::kept(Step::first + P) >= 0 && is_element_written<parameter_type<Step::first + P, Pack>> ? void(good[Tiles::kept(Step::first + P)] = least) : void()), ...);
        }
    }
};

}  // namespace cograph::core
