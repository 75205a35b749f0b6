// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/holds_numbers.hpp>
#include <cograph/plan/persistent/persistent_plan.hpp>
#include <cograph/plan/tiles/loop/group_walk.hpp>
#include <cograph/plan/tiles/loop/loop_questions.hpp>
#include <cograph/plan/tiles/tiles.hpp>

namespace cograph::core {

// What follows from the nodes of E, a loop that may have tiles, without the types of their parameters.
template <class E>
struct nodes_on_chip {
    using plan = tile_plan<E>;
    static constexpr auto& table = plan::table;

    struct flat {
        int kept[plan::parameters + 1]{};         // by parameter of the loop, the variable on chip that it leads to, or -1
        bool overwrites[plan::parameters + 1]{};  // and whether its node writes all elements, and reads none
        int first[plan::parameters + 1]{};        // by variable on chip, a parameter that leads to it
        int sides = -1;                           // the parameter that is the first side of the first box
        bool writes_no_memory = true;             // but scalars: all else that it writes is on chip
        tile_layout layout;                       // except for what types of parameters decide
    };
    static constexpr void find_sides(const node_spec& tree, flat& all, int& at) {
        if (tree.kind == spec_kind::work && tree.traits->box_rank == 1 && all.sides < 0) all.sides = at;  // the number of elements
        if (tree.kind == spec_kind::work && tree.traits->box_rank > 1) {
            const int first = at + tree.traits->first_side;
            if (all.sides < 0) all.sides = first;
            // A run compares sides of boxes only if the plan does not (look_for_box). The kernel's own memory is the first parameter.
            const bool is_known = all.layout.boxes > 0 && tree.arguments[0].variable;
            if (!is_known && all.layout.boxes < tile_layout::most_boxes) all.layout.first_side[all.layout.boxes++] = first + 1;
        }
        at += tree.argument_count;
        for (int i = 0; i < tree.child_count; ++i) find_sides(*tree.children[i], all, at);
    }
    static constexpr bool reaches_array(const argument& a) { return reaches_memory(a) && a.variable->kind != variable_kind::scalar; }
    static constexpr bool is_only_read(const variable_info* v) {
        use_in_loop use;
        look_at_use(v, E::tree, use);
        return use.only_read();
    }
    // Whether functions get only elements on chip or those that the loop only reads, and numbers, and not too many bytes on chip. Then they may be called with any values, and
    // blocks may compute elements of others, if those that are not exchanged are not kept from one iteration for the next (keeps_nothing_else), and need those of others in
    // every few iterations only.
    static constexpr bool get_only_elements(const node_spec& tree) {
        if (table.rank != 2 || (table.bytes > most_overlapping_bytes && !table.in_order)) return false;  // in order, none overlap
        bool can = true;
        if (tree.kind == spec_kind::work && tree.traits->counts_elements) {
            can = tree.traits->box_rank == 2 || tree.traits->box_rank == 0;
            for (int i = 0; i < tree.argument_count && can; ++i) {
                const argument& a = tree.arguments[i];
                if (reaches_array(a)) can = a.form == argument_form::pointer && is_by_element(a) && (table.number(a.variable) >= 0 || is_only_read(a.variable));
            }
        }
        for (int i = 0; i < tree.child_count && can; ++i) can = get_only_elements(*tree.children[i]);
        return can;
    }
    template <class... A>
    static constexpr bool are_numbers_only(list<A...>) {
        return (gets_numbers<A>() && ...);
    }
    template <class... Child>
    static constexpr bool get_only_numbers(list<Child...>) {
        return (get_only_numbers<Child>() && ...);
    }
    template <class Tree>
    static constexpr bool get_only_numbers() {
        if constexpr (Tree::tree.kind == spec_kind::work)
            return are_numbers_only(typename Tree::arguments{});
        else
            return get_only_numbers(typename Tree::children{});
    }
    static constexpr bool find_only_elements() {
        if constexpr (get_only_elements(E::tree))
            return get_only_numbers<E>();
        else
            return false;
    }
    static constexpr bool gets_only_elements = find_only_elements();
    // Whether nodes of one thread get no arrays. Then they may run once more when the loop has ended.
    static constexpr bool tasks_get_no_arrays(const node_spec& tree) {
        bool all = true;
        for (int i = 0; i < tree.argument_count && all; ++i) all = tree.kind != spec_kind::work || tree.traits->counts_elements || !reaches_array(tree.arguments[i]);
        for (int i = 0; i < tree.child_count && all; ++i) all = tasks_get_no_arrays(*tree.children[i]);
        return all;
    }
    // Whether nodes get elements that the loop only reads.
    static constexpr bool gets_read_elements(const node_spec& tree) {
        bool found = false;
        for (int i = 0; i < tree.argument_count && !found; ++i) {
            const argument& a = tree.arguments[i];
            found = reaches_array(a) && is_only_read(a.variable);
        }
        for (int i = 0; i < tree.child_count && !found; ++i) found = gets_read_elements(*tree.children[i]);
        return found;
    }
    static constexpr bool keeps_nothing_else() {
        for (int k = 0; k < table.count; ++k) {
            const chip_variable& kept = table.kept[k];
            if (kept.image && (kept.radius.rows > least_overlap || kept.radius.columns > least_overlap)) return false;
            if (!kept.image && kept.written && first_use_in(kept.variable, *E::tree.children[0]) == first_use::reads) return false;
        }
        return true;
    }
    static constexpr void find_overwrites(const node_spec& tree, flat& all, int& at) {
        for (int i = 0; i < tree.argument_count; ++i, ++at) all.overwrites[at] = overwrites_box(tree, tree.arguments[i]);
        for (int i = 0; i < tree.child_count; ++i) find_overwrites(*tree.children[i], all, at);
    }
    static constexpr flat find() {
        flat all{};
        const auto& given = persistent_plan<E>::parts;
        for (int i = 0; i < plan::parameters; ++i) {
            const argument& a = given.arguments[i + 1];
            all.kept[i] = a.form == argument_form::pointer && is_by_element(a) ? table.number(a.variable) : -1;
            if (writes_memory(a) && all.kept[i] < 0) all.writes_no_memory = false;
        }
        for (int k = 0; k < table.count; ++k) {
            while (all.kept[all.first[k]] != k) ++all.first[k];
            if (!table.kept[k].image) continue;
            all.layout.radius[all.layout.images] = table.kept[k].radius;
            all.layout.size[all.layout.images++] = table.kept[k].variable->size;
        }
        box_of_loop box;
        look_for_box(E::tree, box);
        all.layout.rank = box.rank;
        all.layout.bytes = table.bytes;
        all.layout.in_order = table.in_order;
        all.layout.in_patches = table.in_patches;
        all.layout.shared_bytes = table.shared_bytes;
        all.layout.may_overlap = !table.in_order && all.writes_no_memory && gets_only_elements && reduces_rarely(E::tree) && keeps_nothing_else();
        int at = 0, again = 0;
        find_sides(E::tree, all, at);
        find_overwrites(E::tree, all, again);
        return all;
    }
    static constexpr flat parts = find();
    static constexpr arguments_on_chip arguments_of_nodes{persistent_plan<E>::parts.arguments + 1, parts.kept, parts.overwrites};
};

}  // namespace cograph::core
