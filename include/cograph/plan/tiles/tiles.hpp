// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_stages.hpp>
#include <cograph/plan/persistent/barriers.hpp>
#include <cograph/plan/persistent/register_copies.hpp>
#include <cograph/plan/tiles/tile_shape.hpp>

namespace cograph::core {

// Which variables of a loop stay on chip if it is one kernel over the tiles of a box: those that nodes use by element only, x[each] and x[near<...>].
// If neighbours of a variable are read, the elements around the tile are in shared memory. The elements of the tile itself are there, too, over one and three
// dimensions; over two, they are in registers of threads. Of the other variables, as many as fit are in registers.
//
// Words of this folder and of run/tiles. Image: a variable on chip whose neighbours are read. Radius: how far away nodes read them. Halo: the elements around a
// tile that its block needs. Overlap: the rows and columns around a tile that its block computes, too (plan/tables/tile_kind.hpp). In order: sums of rounded
// numbers, joined in an order that follows from the sides of the box alone. Ahead: a block runs the next iteration while the result that decides is on its way.

// The place of a variable of a loop, or the reason why it is not on chip.
enum class on_chip : unsigned char {
    shared_memory,
    registers,
    no_tiles,             // of the whole loop: tile_status says why
    used_in_other_ways,   // not by element alone
    elements_are_large,   // over 16 bytes
    read_too_far_away,    // over two planes, rows or columns of a box of two or three dimensions
    too_many_variables,   // others fill the registers, or the table of those in shared memory
    kept_by_threads,      // no tiles, but threads with several elements keep them if there is room
    not_in_memory         // scalars, which each thread keeps anyway, and values
};

// Whether a loop has tiles.
enum class tile_status : unsigned char {
    tiles,
    reads_no_neighbours,
    is_not_one_kernel,
    several_boxes,        // its nodes are over boxes that differ, or over too many constant ones for a run to compare
    groups_of_threads,    // scans among them
    length_on_the_device, // over(x).first(n)
    buffers_change_places, // swap
    reads_no_neighbours_on_chip,
    order_matters,        // of a reduction: sums of floating-point numbers
    box_does_not_fit      // of an executable, which knows extents; or it takes less time without tiles
};

constexpr int most_images = 4;              // variables in shared memory
// Bytes of an element: of all variables that are in registers and whose neighbours are not read; over two or three dimensions, of those whose are read, too.
constexpr unsigned most_bytes_in_registers = 16, most_tile_bytes = 32;
// Blocks with more bytes of an element on chip compute none around their tiles. Beyond these bytes, variables that are only read, and only by element, are in memory.
constexpr unsigned most_overlapping_bytes = 24;
// If terms of reductions have an order: of variables in registers, if threads have many elements; of all variables.
constexpr unsigned most_ordered_bytes_in_registers = 8, most_ordered_tile_bytes = 40;

// A loop's box: that of its nodes over boxes and of those that read neighbours.
struct box_of_loop {
    tile_status status = tile_status::reads_no_neighbours;
    int rank = 0;
    const variable_info* counted = nullptr;
    bool in_patches = false;
    bool found = false;
};
constexpr void look_for_box(const node_spec& tree, box_of_loop& box) {
    for (int i = 0; i < tree.child_count; ++i) look_for_box(*tree.children[i], box);
    if (tree.kind == spec_kind::work && tree.traits->exchanges) box.status = tile_status::buffers_change_places;
    if (tree.kind != spec_kind::work || !tree.traits->counts_elements) return;
    if (tree.traits->threads_of_group != 0) box.status = tile_status::groups_of_threads;
    if (tree.traits->has_length) box.status = tile_status::length_on_the_device;
    if (tree.traits->every != 1) box.status = tile_status::several_boxes;
    const int rank = tree.traits->box_rank;
    if (rank == 0 || box.status > tile_status::reads_no_neighbours) return;
    const variable_info* const counted = rank == 1 ? nullptr : tree.arguments[0].variable;  // of one dimension, a run looks whether extents are equal
    if (box.found && (box.rank != rank || box.counted != counted || box.in_patches != tree.traits->in_patches)) box.status = tile_status::several_boxes;
    if (!box.found) box = {box.status, rank, counted, tree.traits->in_patches, true};
    for (int i = 0; i < tree.argument_count; ++i)
        if (tree.arguments[i].near && box.status == tile_status::reads_no_neighbours) box.status = tile_status::tiles;
}

// How a variable is used in a loop.
struct use_in_loop {
    bool by_element = true;
    bool near = false, written = false;
    int planes = 0, rows = 0, columns = 0;  // how far neighbours are read
    constexpr bool only_read() const { return by_element && !near && !written; }
};
constexpr void look_at_use(const variable_info* v, const node_spec& tree, use_in_loop& use) {
    for (int i = 0; i < tree.argument_count; ++i) {
        const argument& a = tree.arguments[i];
        if (a.variable != v || a.access == access_mode::none) continue;
        use.by_element = use.by_element && is_by_element(a);
        use.written = use.written || writes(a.access);
        if (!a.near) continue;
        use.near = true;
        const int columns = a.near->along[a.near->rank - 1], rows = a.near->rank > 1 ? a.near->along[a.near->rank - 2] : 0, planes = a.near->rank > 2 ? a.near->along[0] : 0;
        if (columns > use.columns) use.columns = columns;
        if (rows > use.rows) use.rows = rows;
        if (planes > use.planes) use.planes = planes;
    }
    for (int i = 0; i < tree.child_count; ++i) look_at_use(v, *tree.children[i], use);
}

// A variable that is on chip.
struct chip_variable {
    const variable_info* variable;
    bool image;          // in shared memory
    bool shared;         // there, too, if threads have many elements
    bool filled;         // read from memory before the loop begins
    bool written;
    tile_border radius;  // of an image
};

// A variable of the loop, on chip or not.
struct tile_variable {
    const variable_info* variable;
    on_chip where;
};
// How often blocks wait for others in a loop, each node and test counted once.
template <int Leaves>
constexpr int count_waits(const leaf_barriers<Leaves>& barriers) {
    int count = 0;
    for (int leaf = 0; leaf < Leaves; ++leaf) count += (barriers.before[leaf] >= barrier::neighbours) + (barriers.again[leaf] >= barrier::neighbours);
    return count;
}
// The facts that executors and reports need; lowered_node leads to it.
struct tile_layout {
    static constexpr int most_boxes = 32;
    tile_status status = tile_status::tiles;
    int rank = 0;
    unsigned bytes = 0;         // of an element, of all variables on chip that last from row to row
    unsigned shared_bytes = 0;  // of those that threads with many elements have in shared memory
    unsigned bytes_in_rows = 0;  // of those without neighbours whose rows are in shared memory of tall tiles
    // What blocks may do, if the box asks for it.
    bool may_overlap = false;  // have overlapping tiles
    bool is_tall = false;      // have tall tiles
    bool is_large = false;     // have large tiles
    bool keeps_part = false;   // also such of which a part is on chip
    bool takes_turns = false;  // keep the newest of two variables in them, whose borders are alike
    bool in_order = false;     // join terms of reductions in the order of the box, which is cut as box_order says
    bool in_patches = false;   // also if it is large
    bool runs_ahead = false;   // run an iteration before they know that it should run
    bool saves_barriers = false;    // wait for each other less often than without tiles
    bool joins_at_barrier = false;  // join results there, not by words
    // Variables whose neighbours are read.
    int images = 0;
    tile_border radius[most_images]{};
    unsigned size[most_images]{};
    // All variables of the loop.
    const tile_variable* variables = nullptr;
    int variable_count = 0;
    int boxes = 0;                 // of two or three dimensions, whose sides a run compares: of nodes over constants all, of others the first
    int first_side[most_boxes]{};  // of each, among the kernel's parameters
    int sums = 0;                  // of integers, whose identity is to be zero: tiles join it another number of times
    struct identity {
        int parameter;
        unsigned bytes;
    } of_sum[most_boxes]{};
};

template <int Parameters>
struct tile_table {
    tile_status status = tile_status::is_not_one_kernel;
    chip_variable kept[Parameters + 1]{};
    int count = 0, images = 0, rank = 0;
    bool in_order = false, in_patches = false;
    unsigned register_bytes = 0, bytes = 0, shared_bytes = 0;

    constexpr int number(const variable_info* v) const {
        for (int k = 0; k < count; ++k)
            if (kept[k].variable == v) return k;
        return -1;
    }
    constexpr on_chip place_of(const variable_info* v, const node_spec& loop) const {
        if (v->kind != variable_kind::buffer && v->kind != variable_kind::temp) return on_chip::not_in_memory;
        if (status != tile_status::tiles) return on_chip::no_tiles;
        if (const int k = number(v); k >= 0) return kept[k].image ? on_chip::shared_memory : on_chip::registers;
        use_in_loop use;
        look_at_use(v, loop, use);
        return !use.by_element                        ? on_chip::used_in_other_ways
               : v->size > most_register_copy_bytes ? on_chip::elements_are_large
               : reads_too_far(use)                 ? on_chip::read_too_far_away
                                                    : on_chip::too_many_variables;
    }
    constexpr bool reads_too_far(const use_in_loop& use) const {
        return rank > 1 && (use.planes > most_near_on_chip || use.rows > most_near_on_chip || use.columns > most_near_on_chip);
    }
    constexpr bool has_room(const use_in_loop& use, unsigned size) const {
        if (in_order) return bytes + size <= most_ordered_tile_bytes && (!use.near || images < most_images);
        if (rank > 1 && bytes + size > most_tile_bytes) return false;
        if (rank == 2 && use.only_read() && bytes + size > most_overlapping_bytes) return false;
        return use.near ? images < most_images : register_bytes + size <= most_bytes_in_registers;
    }
    // Images first, then written variables, then the rest.
    constexpr void keep(const node_spec& tree, const node_spec& loop, bool images_now, bool written_now) {
        for (int i = 0; i < tree.argument_count; ++i) {
            const argument& a = tree.arguments[i];
            if (!reaches_memory(a) || !is_by_element(a) || number(a.variable) >= 0 || a.variable->size > most_register_copy_bytes) continue;
            use_in_loop use;
            look_at_use(a.variable, loop, use);
            if (!use.by_element || use.near != images_now || (!images_now && use.written != written_now)) continue;
            if (!has_room(use, a.variable->size) || reads_too_far(use)) continue;
            images += use.near;
            bytes += a.variable->size;
            const bool shared = in_order && !use.near && register_bytes + a.variable->size > most_ordered_bytes_in_registers;
            if (shared) shared_bytes += a.variable->size;
            if (!use.near && !shared) register_bytes += a.variable->size;
            kept[count++] = {a.variable, use.near, shared, needs_filling(a.variable, loop), use.written, {use.rows, use.columns, use.planes}};
        }
        for (int i = 0; i < tree.child_count; ++i) keep(*tree.children[i], loop, images_now, written_now);
    }
};

template <int Parameters>
constexpr tile_table<Parameters> find_tiles(const node_spec& loop) {
    tile_table<Parameters> table{};
    box_of_loop box;
    look_for_box(loop, box);
    table.status = box.status;
    table.rank = box.rank;
    table.in_order = box.rank == 2 && has_box_order(loop);
    table.in_patches = box.in_patches;
    if (table.in_order && table.status == tile_status::tiles && has_large_results(loop, most_ordered_bytes)) table.status = tile_status::order_matters;
    if (table.status != tile_status::tiles) return table;
    table.keep(loop, loop, true, false);
    table.keep(loop, loop, false, true);
    table.keep(loop, loop, false, false);
    if (table.images == 0) table.status = tile_status::reads_no_neighbours_on_chip;
    return table;
}

// The loop E with tiles: the same program with other barriers.
template <class E>
struct tile_plan {
    static constexpr int parameters = count_parameters(E::tree);
    static constexpr auto table = find_tiles<parameters>(E::tree);
    struct kept {
        static constexpr bool any = true;
        static constexpr bool has(const variable_info* v) { return table.number(v) >= 0; }
    };
    static constexpr auto find_barriers() {
        barrier_pass<2 * parameters, E::leaves, kept> pass{};
        pass.pass(E::tree, 0);
        return pass;
    }
    static constexpr auto barriers = find_barriers();
};

}  // namespace cograph::core
