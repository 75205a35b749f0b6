// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tiles/loop/large_tiles.hpp>
#include <cograph/plan/tiles/loop/nodes_on_chip.hpp>
#include <cograph/plan/tiles/loop/tile_reductions.hpp>

#include <type_traits>
#include <utility>

namespace cograph::core {

// Variables that a copy passes to an image, in the group of nodes that writes them (passes_by_copy). Threads with many elements run all nodes of a group for a row
// before the next row, and keep passed variables for that row only. So they have registers for more elements of the images.
template <int Variables>
struct passed_variables {
    int to[Variables + 1]{};  // by variable on chip: the image, or -1
    unsigned bytes = 0;       // of an element, of all of them
};
template <int Variables>
constexpr passed_variables<Variables> no_passed_variables() {
    passed_variables<Variables> none;
    for (int& to : none.to) to = -1;
    return none;
}

template <class E, class Program>
class variables_of_copies {
    static constexpr auto& table = tile_plan<E>::table;
    template <int K, class... P>
    static auto element_of(list<std::type_identity<P>...>)
        -> std::type_identity<std::remove_cvref_t<decltype(*std::declval<typename made_from<typename pick_type<nodes_on_chip<E>::parts.first[K], P...>::type>::type>().at)>>;

public:
    // Whether elements of two variables are of one type, and whether a copy passes those of one to the other.
    template <int Image, int Passed>
    static constexpr bool are_alike() {
        return std::is_same_v<decltype(element_of<Image>(parameters_of<E>::find())), decltype(element_of<Passed>(parameters_of<E>::find()))>;
    }
    template <int Image, int Passed>
    static constexpr bool passes() {
        if constexpr (!table.kept[Image].image || table.kept[Passed].image || !table.kept[Passed].written)
            return false;
        else
            return are_alike<Image, Passed>() && all_pass_by_copy<Program>({nodes_on_chip<E>::arguments_of_nodes, Image, Passed});
    }
    // None unless threads may have as many elements as possible then.
    static constexpr auto find() { return find(std::make_integer_sequence<int, table.count>{}); }

private:
    template <int... K>
    static constexpr auto find(std::integer_sequence<int, K...> all) {
        passed_variables<table.count> found{{image_of<K>(all)...}};
        ((found.bytes += found.to[K] < 0 ? 0 : table.kept[K].variable->size), ...);
        return most_tile_elements(2, table.bytes - found.bytes) == most_tile_elements(2, 0) ? found : no_passed_variables<table.count>();
    }
    template <int Passed, int... K>
    static constexpr int image_of(std::integer_sequence<int, K...>) {
        int image = -1;
        ((image = passes<K, Passed>() ? K : image), ...);
        return image;
    }
};

}  // namespace cograph::core
