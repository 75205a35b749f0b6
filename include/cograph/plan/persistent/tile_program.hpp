// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/persistent/program.hpp>
#include <cograph/plan/persistent/tiles.hpp>
#include <cograph/plan/persistent/word_join.hpp>

#include <utility>

namespace cograph::core {

// The program of a loop with tiles, which a kernel of its own runs; for boxes that do not fit, the kernels of a loop without tiles are there.

template <class E>
struct tile_whole {};
template <class E>
struct persistent_plan<tile_whole<E>> {
    static constexpr const auto& barriers = tile_plan<E>::barriers;
};

// Whether reductions come out the same in any order: the threads of a tile have other elements than those of a chunk.
template <class P>
struct made_from {
    using type = P;
};
template <class T>
struct made_from<made_on_use<T>> {
    using type = T;
};
template <class Step, class... P>
inline constexpr bool reduces_in_any_order = true;
template <class Stage, int First, int Count, barrier Before, bool Joins, class... P>
    requires(Stage::traits.reduces)
inline constexpr bool reduces_in_any_order<stage_step<Stage, First, Count, Before, Joins>, P...> =
    joins_in_any_order<typename made_from<typename pick_type<First + 2, P...>::type>::type> ||
    how_to_join<typename made_from<typename pick_type<First + 2, P...>::type>::type, typename made_from<typename pick_type<First + 3, P...>::type>::type>() != word_join::none;
template <class... Step, class... P>
inline constexpr bool reduces_in_any_order<steps<Step...>, P...> = (reduces_in_any_order<Step, P...> && ...);
template <class... Step, class... P>
inline constexpr bool reduces_in_any_order<fused_steps<Step...>, P...> = (reduces_in_any_order<Step, P...> && ...);
template <class Rule, int First, int Count, barrier Before, barrier Again, class... Body, class... P>
inline constexpr bool reduces_in_any_order<control_step<Rule, First, Count, Before, Again, Body...>, P...> = (reduces_in_any_order<Body, P...> && ...);

// A variable on chip, without its name: how far around the tile it reaches, and whether it is read from memory before the loop begins.
template <bool Image, bool Filled, bool Written, int Rows, int Columns>
struct kept_on_chip {
    static constexpr bool image = Image, filled = Filled, written = Written;
    static constexpr tile_border around{Rows, Columns};
};

// Kept: by parameter, the variable on chip that it leads to, or -1. First: by variable, a parameter that leads to it.
// Own: the bytes of the kernel's memory before those of its tiles.
template <class Code, class Program, int Rank, int Sides, unsigned Own, class Kept, class First, class... Variable>
struct tiled_code {};

template <class E>
struct tiles_of_loop {
    using plan = tile_plan<E>;
    static constexpr auto& table = plan::table;
    struct flat {
        int kept[plan::parameters + 1]{};
        int first[plan::parameters + 1]{};
        int sides = -1;  // the position of the sides of the first node over a box
        tile_layout layout;
    };
    static constexpr void find_sides(const node_spec& tree, flat& all, int& at) {
        if (tree.kind == spec_kind::work && tree.traits->box_rank == 1 && all.sides < 0) all.sides = at;  // the number of elements
        if (tree.kind == spec_kind::work && tree.traits->box_rank > 1) {
            const int first = at + tree.traits->first_side;
            if (all.sides < 0) all.sides = first;
            if (all.layout.boxes < tile_layout::most_boxes) all.layout.first_side[all.layout.boxes++] = first + 1;  // after the kernel's own memory
        }
        at += tree.argument_count;
        for (int i = 0; i < tree.child_count; ++i) find_sides(*tree.children[i], all, at);
    }
    static constexpr flat find() {
        flat all{};
        const auto& given = persistent_plan<E>::parts;
        for (int i = 0; i < plan::parameters; ++i) {
            const argument& a = given.arguments[i + 1];
            all.kept[i] = a.form == argument_form::pointer && is_by_element(a) ? table.number(a.variable) : -1;
        }
        for (int k = 0; k < table.count; ++k) {
            while (all.kept[all.first[k]] != k) ++all.first[k];
            if (!table.kept[k].image) continue;
            all.layout.around[all.layout.images] = table.kept[k].around;
            all.layout.size[all.layout.images++] = table.kept[k].variable->size;
        }
        box_of_loop box;
        look_for_box(E::tree, box);
        all.layout.rank = box.rank;
        int at = 0;
        find_sides(E::tree, all, at);
        return all;
    }
    static constexpr flat parts = find();
    struct places {
        tile_variable all[plan::parameters + 1]{};
        int count = 0;
    };
    static constexpr places find_places(tile_status wanted) {
        places found{};
        for (int i = 1; i <= plan::parameters; ++i) {
            const variable_info* const v = persistent_plan<E>::parts.arguments[i].variable;
            if (!v || persistent_plan<E>::parts.arguments[i].access == access_mode::none || (v->kind != variable_kind::buffer && v->kind != variable_kind::temp)) continue;
            bool known = false;
            for (int k = 0; k < found.count; ++k) known = known || found.all[k].variable == v;
            if (!known) found.all[found.count++] = {v, wanted == tile_status::tiles ? table.place_of(v, E::tree) : on_chip::no_tiles};
        }
        return found;
    }
    // The exchange of blocks for all variables in shared memory: two copies, used in turn.
    static constexpr int border_elements(int k) { return table.kept[k].around.most(parts.layout.rank); }
    static constexpr unsigned border_bytes() {
        unsigned bytes = 0;
        for (int k = 0; k < table.count; ++k)
            if (table.kept[k].image) bytes += (2u * most_tile_blocks * static_cast<unsigned>(border_elements(k)) * table.kept[k].variable->size + 255) / 256 * 256;
        return bytes;
    }

    // The kernel's own memory: after that of the kernel without tiles, a number for each block, then the borders.
    static constexpr unsigned own_bytes() {
        const int most = plan::barriers.most_reductions > persistent_plan<E>::barriers.most_reductions ? plan::barriers.most_reductions
                                                                                                       : persistent_plan<E>::barriers.most_reductions;
        const unsigned of_groups = static_cast<unsigned>(most) * persistent_plan<E>::result_bytes;
        const unsigned of_results = of_groups > persistent_plan<E>::all_result_bytes ? of_groups : persistent_plan<E>::all_result_bytes;
        return (persistent_meeting_bytes + of_results + 255) / 256 * 256;
    }
    static constexpr auto arguments_with_borders() {
        auto changed = persistent_plan<E>::parts;
        changed.arguments[0].size = own_bytes() + tile_flag_bytes + border_bytes();
        return changed;
    }
    static constexpr auto with_borders = arguments_with_borders();

    using program = typename program_of<tile_whole<E>, E, 0, 0>::type;
    template <class... P>
    static constexpr bool in_any_order(list<std::type_identity<P>...>) {
        return reduces_in_any_order<program, P...>;
    }
    static constexpr bool any() {
        if constexpr (table.status != tile_status::tiles || plan::barriers.most_reductions > most_joined_reductions)
            return false;
        else
            return parts.layout.boxes < tile_layout::most_boxes && in_any_order(decltype(parameters_of<E>::find()){});
    }
    static constexpr tile_status status = table.status != tile_status::tiles ? table.status : any() ? tile_status::tiles : tile_status::order_matters;
    static constexpr places where = find_places(status);
    static constexpr tile_layout with_places() {
        tile_layout all = parts.layout;
        all.status = status;
        all.variables = where.all;
        all.variable_count = where.count;
        return all;
    }
    static constexpr tile_layout layout = with_places();

    template <class Code, int... I, int... K>
    static auto code(std::integer_sequence<int, I...>, std::integer_sequence<int, K...>)
        -> tiled_code<Code, program, parts.layout.rank, parts.sides, own_bytes(), std::integer_sequence<int, parts.kept[I]...>, std::integer_sequence<int, parts.first[K]...>,
                      kept_on_chip<table.kept[K].image, table.kept[K].filled, table.kept[K].written, table.kept[K].around.rows, table.kept[K].around.columns>...>;
    template <class Code>
    using code_with = decltype(code<Code>(std::make_integer_sequence<int, plan::parameters>{}, std::make_integer_sequence<int, table.count>{}));
};

template <class E, class Code>
constexpr auto code_with_tiles() {
    if constexpr (tiles_of_loop<E>::any())
        return list<typename tiles_of_loop<E>::template code_with<Code>>{};
    else
        return list<Code>{};
}
template <class E>
constexpr const argument* arguments_with_tiles() {
    if constexpr (tiles_of_loop<E>::any())
        return tiles_of_loop<E>::with_borders.arguments;
    else
        return persistent_plan<E>::parts.arguments;
}
template <class E>
constexpr const tile_layout* layout_of_tiles() {
    return &tiles_of_loop<E>::layout;
}

}  // namespace cograph::core
