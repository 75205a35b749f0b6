// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/persistent/loop/results.hpp>
#include <cograph/plan/persistent/program.hpp>
#include <cograph/plan/persistent/word_join.hpp>
#include <cograph/plan/tables/measure.hpp>
#include <cograph/plan/tiles/loop/group_walk.hpp>
#include <cograph/plan/tiles/loop/halo_elements.hpp>
#include <cograph/plan/tiles/loop/large_tiles.hpp>
#include <cograph/plan/tiles/loop/loop_questions.hpp>
#include <cograph/plan/tiles/loop/nodes_on_chip.hpp>
#include <cograph/plan/tiles/loop/passed_variables.hpp>
#include <cograph/plan/tiles/loop/tile_reductions.hpp>
#include <cograph/plan/tiles/tiled_code.hpp>
#include <cograph/plan/tiles/tiles.hpp>

#include <utility>

namespace cograph::core {

// The program of a loop with tiles, which a kernel of its own runs; for boxes that do not fit, the kernels of a loop without tiles are there.

template <class E>
struct tile_whole {
    static constexpr int leaves = E::leaves;
};
template <class E>
struct persistent_plan<tile_whole<E>> {
    static constexpr const leaf_barriers<E::leaves>& with_phases = tile_plan<E>::barriers;
};

template <class E>
struct tiles_of_loop {
    using plan = tile_plan<E>;
    static constexpr auto& table = plan::table;
    static constexpr auto& parts = nodes_on_chip<E>::parts;
    static constexpr auto& arguments_of_nodes = nodes_on_chip<E>::arguments_of_nodes;
    static constexpr bool gets_only_elements = nodes_on_chip<E>::gets_only_elements, gets_read_elements = nodes_on_chip<E>::gets_read_elements(E::tree);

    // The variables of the loop, each once.
    struct places {
        tile_variable all[plan::parameters + 1]{};
        int count = 0;
    };
    static constexpr places find_places(tile_status found_status) {
        places found{};
        for (int i = 1; i <= plan::parameters; ++i) {
            const argument& a = persistent_plan<E>::parts.arguments[i];
            const variable_info* const v = a.variable;
            if (!v || a.access == access_mode::none || (v->kind != variable_kind::buffer && v->kind != variable_kind::temp)) continue;
            bool known = false;
            for (int k = 0; k < found.count; ++k) known = known || found.all[k].variable == v;
            if (!known) found.all[found.count++] = {v, found_status == tile_status::tiles ? table.place_of(v, E::tree) : on_chip::no_tiles};
        }
        return found;
    }

    using program = typename program_of<tile_whole<E>, E, 0, 0>::type;
    template <class... P>
    static constexpr bool in_any_order(list<std::type_identity<P>...>) {
        return reduces_in_any_order<program, P...>;
    }
    static constexpr tile_status find_status() {
        if constexpr (table.status != tile_status::tiles)
            return table.status;
        else if constexpr (parts.layout.boxes == tile_layout::most_boxes)
            return tile_status::several_boxes;
        else if constexpr (!in_any_order(decltype(parameters_of<E>::find()){}))
            return tile_status::order_matters;
        else
            return tile_status::tiles;
    }
    static constexpr tile_status status = find_status();
    // Whether the loop has tiles.
    static constexpr bool any() { return status == tile_status::tiles; }

    // Of two variables that take turns. With two columns, the kernel has too few registers: its boxes take longer than without large tiles (bench/RESULTS.md).
    static constexpr bool have_one_border(tile_border const& a, tile_border const& b) { return a.rows == b.rows && a.columns == b.columns && a.columns <= 1; }
    // Of the variables on chip, those that the loop only reads come last.
    static constexpr bool changes_two() {
        int two = 0;
        for (int k = 0; k < table.count; ++k) two += table.kept[k].image || table.kept[k].written;
        return two == 2;
    }
    static constexpr bool can_be_large() {
        if constexpr (table.rank != 2 || (table.in_order && !table.in_patches) || !changes_two() || (table.images == 2 && (gets_read_elements || !have_one_border(table.kept[0].radius, table.kept[1].radius))))
            return false;
        else if constexpr (any() && gets_only_elements && table.kept[0].variable->size <= most_large_bytes && table.kept[0].radius.rows == 1 &&
                           shared_bytes_beside_large(E::tree) <= most_own_shared_bytes_beside_large)
            return (table.images == 1 ? all_pass_by_copy<program>({arguments_of_nodes, 0, 1}) : all_take_turns<program>({arguments_of_nodes})) && variables_of_copies<E, program>::template are_alike<0, 1>();
        else
            return false;
    }
    static constexpr bool is_large = can_be_large(), takes_turns = is_large && table.images == 2;
    // With elements that are only read and several nodes that read neighbours, nvcc does not put the body into the kernel for a part on chip. It takes longer than single nodes then.
    static constexpr bool keeps_part = is_large && (!gets_read_elements || count_nodes_with_neighbours(E::tree) == 1);

    static constexpr auto find_passed() {
        if constexpr (any() && table.rank == 2 && !table.in_order && !is_large)
            return variables_of_copies<E, program>::find();
        else
            return no_passed_variables<table.count>();
    }
    static constexpr passed_variables<table.count> passed = find_passed();
    // In tall tiles, rows pass of all other variables that nodes change.
    static constexpr bool is_tall = passed.bytes > 0 && shared_bytes_beside_large(E::tree) <= most_own_shared_bytes_beside_large;
    static constexpr unsigned bytes_in_rows() {
        unsigned bytes = 0;
        for (int k = 0; k < table.count && is_tall; ++k)
            if (lasts_without_neighbours(table.kept[k].image, table.kept[k].written, passed.to[k])) bytes += table.kept[k].variable->size;
        return bytes;
    }

    template <class... P>
    static constexpr bool tests_one_result(list<std::type_identity<P>...>) {
        return ends_by_one_result<program, P...>;
    }
    static constexpr bool runs_ahead() {
        if constexpr (table.in_order || !any())
            return false;
        else if constexpr (parts.writes_no_memory && gets_only_elements && nodes_on_chip<E>::tasks_get_no_arrays(E::tree) && tests_one_result(decltype(parameters_of<E>::find()){})) {
            scalars_of_reductions results;
            results.look(*E::tree.children[0]);
            return results.first && results.is_alone && count_uses(*E::tree.children[0], results.first) == 1;
        } else
            return false;
    }

    // The halos that blocks compute for themselves.
    static constexpr variables_with_halo find_variables_with_halo() {
        if constexpr (!any() || !table.in_order || table.images != 1)
            return {};
        else if constexpr (!has_a_thread_each(table.kept[0].radius))
            return {};
        else
            return find_halo<program>(arguments_of_nodes, 1u);
    }
    static constexpr variables_with_halo halos = find_variables_with_halo();
    static constexpr tile_border border_of(int k) { return halos.of(k) == halo_kind::not_kept ? table.kept[k].radius : table.kept[0].radius; }

    // The exchange of blocks for all variables in shared memory, and for those of halos: two copies, used in turn.
    static constexpr tile_kind largest_kind(int k) {
        if (is_tall) return tile_kind::tall;
        return k > 0 || !is_large ? tile_kind::plain : keeps_part ? tile_kind::in_part : tile_kind::large;
    }
    static constexpr unsigned border_bytes_of(int k) {
        const int most = border_of(k).most(table.rank, largest_kind(k)), overlapping = parts.layout.may_overlap ? tile_border::most_overlapping() : 0;
        return 2u * most_tile_blocks * static_cast<unsigned>((most > overlapping ? most : overlapping) * tile_border::exchanged_bytes(table.rank, static_cast<int>(table.kept[k].variable->size)));
    }
    static constexpr unsigned border_bytes() {
        unsigned bytes = 0;
        for (int k = 0; k < table.count; ++k)
            if (table.kept[k].image ? is_large || halos.of(k) == halo_kind::not_kept : halos.of(k) == halo_kind::sent) bytes += (border_bytes_of(k) + 255) / 256 * 256;
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
    // Of words: for each reduction of a group, if their order matters.
    static constexpr unsigned tables() { return table.in_order && plan::barriers.most_reductions > 1 ? static_cast<unsigned>(plan::barriers.most_reductions) : 1u; }
    static constexpr auto arguments_with_borders() {
        auto changed = persistent_plan<E>::parts;
        changed.arguments[0].size = own_bytes() + tables() * tile_flag_bytes + border_bytes();
        return changed;
    }
    static constexpr auto with_borders = arguments_with_borders();

    static constexpr places where = find_places(status);
    template <class... P>
    static constexpr void look_at_reductions(tile_layout& to, list<std::type_identity<P>...>) { facts_of_reductions<P...>{to}.look(word<program>{}); }
    static constexpr tile_layout make_layout() {
        tile_layout all = parts.layout;
        if constexpr (status == tile_status::tiles) look_at_reductions(all, decltype(parameters_of<E>::find()){});
        all.status = status;
        all.bytes -= passed.bytes;
        all.is_tall = is_tall;
        all.bytes_in_rows = bytes_in_rows();
        all.is_large = is_large;
        all.keeps_part = keeps_part;
        all.takes_turns = takes_turns;
        all.runs_ahead = runs_ahead();
        all.saves_barriers = count_waits(plan::barriers) < count_waits(persistent_plan<E>::barriers);
        all.variables = where.all;
        all.variable_count = where.count;
        return all;
    }
    static constexpr tile_layout layout = make_layout();

    static constexpr int how() {
        int bits = 0;
        if (parts.writes_no_memory) bits |= tiles_write_no_memory;
        if (parts.layout.may_overlap) bits |= tiles_may_overlap;
        if (is_tall) bits |= tiles_may_be_tall;
        if (is_large) bits |= tiles_may_be_large;
        if (keeps_part) bits |= tiles_may_keep_part;
        if (takes_turns) bits |= tiles_take_turns;
        if (layout.runs_ahead) bits |= tiles_may_run_ahead;
        if (table.in_order) bits |= tiles_in_order | (static_cast<int>(tables()) * tables_of_words);
        return bits;
    }
    template <class Code, int... I, int... K>
    static auto code(std::integer_sequence<int, I...>, std::integer_sequence<int, K...>)
        -> tiled_code<Code, program, parts.layout.rank, parts.sides, own_bytes(), how(), std::integer_sequence<int, number_on_chip(parts.kept[I], parts.overwrites[I])...>,
                      std::integer_sequence<int, parts.first[K]...>,
                      kept_on_chip<table.kept[K].variable->size, table.kept[K].image, table.kept[K].filled, table.kept[K].written, border_of(K).rows, border_of(K).columns, border_of(K).planes,
                                   table.kept[K].shared, halos.of(K), passed.to[K]>...>;
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
