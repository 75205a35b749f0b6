// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/lower.hpp>
#include <cograph/plan/lowering/lowering_queries.hpp>
#include <cograph/plan/persistent/register_copies.hpp>

namespace cograph::core {

// The variables of a loop that stay on chip, as questions about the plan.

// The plan of E's lowered form, if nodes see neighbours; null otherwise.
template <class E>
constexpr const plan_view* plan_with_tiles() {
    if constexpr (sees_neighbours(E::tree))
        return &plan_of<lowered<E>>::view;
    else
        return nullptr;
}
// Of a loop that is one kernel; null if its nodes see no neighbours.
constexpr const tile_layout* tiles_of(const plan_view* made, const plan_view& p, int loop) {
    for (int r = 0; made && loop >= 0 && r < made->count.nodes; ++r)
        if (made->nodes[r].from->traits->persistent && made->nodes[r].leaf == p.nodes[loop].leaf) return made->nodes[r].from->lowered->tiles;
    return nullptr;
}

constexpr const char* word_of(tile_status status) {
    switch (status) {
        case tile_status::tiles: return "tiles";
        case tile_status::reads_no_neighbours: return "reads_no_neighbours";
        case tile_status::is_not_one_kernel: return "is_not_one_kernel";
        case tile_status::several_boxes: return "several_boxes";
        case tile_status::groups_of_threads: return "groups_of_threads";
        case tile_status::length_on_the_device: return "length_on_the_device";
        case tile_status::buffers_change_places: return "buffers_change_places";
        case tile_status::reads_no_neighbours_on_chip: return "reads_no_neighbours_on_chip";
        case tile_status::order_matters: return "order_matters";
        case tile_status::box_does_not_fit: return "box_does_not_fit";
    }
    return "";
}
constexpr const char* word_of(on_chip where) {
    switch (where) {
        case on_chip::shared_memory: return "shared_memory";
        case on_chip::registers: return "registers";
        case on_chip::no_tiles: return "no_tiles";
        case on_chip::used_in_other_ways: return "used_in_other_ways";
        case on_chip::elements_are_large: return "elements_are_large";
        case on_chip::read_too_far_away: return "read_too_far_away";
        case on_chip::too_many_variables: return "too_many_variables";
        case on_chip::kept_by_threads: return "kept_by_threads";
        case on_chip::not_in_memory: return "not_in_memory";
    }
    return "";
}

// Of a variable of a loop without tiles: whether its threads keep elements, or if they keep others, why not these.
constexpr on_chip where_kept(const node_spec& loop, const variable_info* v) {
    const loop_parameters of(loop);
    const kept_elements kept = kept_elements_of(loop, of);
    if (kept.has(v)) return on_chip::kept_by_threads;
    on_chip where = on_chip::no_tiles;
    const variable_info* domain = nullptr;
    for (int i = 0; i < of.count && kept.variable_count > 0; ++i) {
        const argument& a = of.arguments[i];
        if (of.lowered[i].counts) domain = extent_source(a.variable);
        if (a.variable != v || !reaches_memory(a) || where == on_chip::used_in_other_ways) continue;
        where = !kept_elements::can_be_kept(a, of.lowered[i]) || domain != kept.domain ? on_chip::used_in_other_ways : v->size > most_register_copy_bytes ? on_chip::elements_are_large : on_chip::too_many_variables;
    }
    return where;
}

// The same after a variable's name.
constexpr const char* clause_of(on_chip where) {
    switch (where) {
        case on_chip::shared_memory: return " in shared memory";
        case on_chip::registers: return " in registers";
        case on_chip::used_in_other_ways: return " not by element alone";
        case on_chip::elements_are_large: return " has large elements";
        case on_chip::read_too_far_away: return " is read too far away";
        default: return " in memory";
    }
}

// Of a loop that is one kernel, or of -1.
template <class E>
constexpr tile_status status_of_tiles(int loop) {
    if (loop < 0) return tile_status::is_not_one_kernel;
    const tile_layout* const tiles = tiles_of(plan_with_tiles<E>(), plan_of<E>::view, loop);
    return tiles ? tiles->status : tile_status::reads_no_neighbours;
}

// Whether the loop that a node is or lies in runs over tiles that stay on chip, or why not. Extents are not known here: a run whose box does not fit
// has none all the same. Throws error when a label is that of no loop, or of several.
template <expression E, class S>
    requires(label_text<S> || selectable<E, S>)
constexpr tile_status why_no_tiles(const E& e, S asked) {
    return status_of_tiles<typename E::self>(persistent_loop(plan_of<typename E::self>::view, asked_node<typename E::self>(e.records, asked)));
}

// The place of a variable while that loop runs, or the reason why it is not on chip.
template <expression E, class S, variable V>
    requires(label_text<S> || selectable<E, S>)
constexpr on_chip where_on_chip(const E& e, S asked, V) {
    constexpr const plan_view& p = plan_of<typename E::self>::view;
    const int loop = persistent_loop(p, asked_node<typename E::self>(e.records, asked));
    const tile_layout* const tiles = tiles_of(plan_with_tiles<typename E::self>(), p, loop);
    on_chip where = in_memory<V> && V::kind != variable_kind::scalar ? on_chip::no_tiles : on_chip::not_in_memory;
    for (int i = 0; tiles && i < tiles->variable_count; ++i)
        if (tiles->variables[i].variable == &info_of<V>) where = tiles->variables[i].where;
    if (where == on_chip::no_tiles && loop >= 0) where = where_kept(*p.nodes[loop].from, &info_of<V>);
    return where;
}

}  // namespace cograph::core
