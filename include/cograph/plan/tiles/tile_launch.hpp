// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/frame.hpp>
#include <cograph/plan/persistent/loop/shape.hpp>
#include <cograph/plan/tiles/large_shape.hpp>
#include <cograph/plan/tiles/loop/large_tiles.hpp>
#include <cograph/plan/tiles/tiles.hpp>

namespace cograph::core {

// How a persistent kernel with tiles is launched for the extents of a run.

// An index that a node is given, among its parameters.
inline index_t index_among_parameters(const frame& f, const plan_node& r, int i) {
    const argument& a = r.from->arguments[i];
    const int at = f.plan.arguments[r.first_argument + i];
    if (a.form == argument_form::extent) return static_cast<index_t>(f.slots[at].count);
    return a.form == argument_form::stateless ? static_cast<index_t>(a.constant) : *static_cast<const index_t*>(f.kept_values[at]);
}

// The number of elements of all parts of a persistent node, if they are over one box; else -1.
inline index_t elements_of_box(const frame& f, const plan_node& r) {
    const tile_layout& layout = *r.from->lowered->tiles;
    index_t elements = -1;
    for (int i = 0; i < r.argument_count; ++i) {
        if (!r.from->lowered->arguments[i].counts) continue;
        const index_t n = extent_of(f, r.from->arguments[i].form, f.plan.arguments[r.first_argument + i]);
        if (elements >= 0 && n != elements) return -1;
        elements = n;
    }
    for (int box = 1; box < layout.boxes; ++box)
        for (int d = 0; d < layout.rank; ++d)
            if (index_among_parameters(f, r, layout.first_side[box] + d) != index_among_parameters(f, r, layout.first_side[0] + d)) return -1;
    return elements;
}

// The first box of a persistent node, of two dimensions or three.
inline box_sides first_box(const frame& f, const plan_node& r) {
    const tile_layout& layout = *r.from->lowered->tiles;
    box_sides box{1, 1, 1};
    int* const sides[] = {&box.columns, &box.rows, &box.planes};
    for (int d = 0; d < layout.rank; ++d) *sides[layout.rank - 1 - d] = static_cast<int>(index_among_parameters(f, r, layout.first_side[0] + d));
    return box;
}

// Whether the identities of all sums of integers are zero.
inline bool sums_begin_with_zero(const frame& f, const plan_node& r) {
    const tile_layout& layout = *r.from->lowered->tiles;
    for (int i = 0; i < layout.sums; ++i) {
        if (i == tile_layout::most_boxes) return false;
        const auto* const bytes = static_cast<const unsigned char*>(parameter_address(f, r, 1 + layout.of_sum[i].parameter));
        for (unsigned k = 0; k < layout.of_sum[i].bytes; ++k)
            if (bytes[k] != 0) return false;
    }
    return true;
}

// The shared memory of a persistent kernel itself, for results of reductions. Loops that may have large tiles have few results, in all of their kernels.
constexpr int most_own_shared_bytes = 47 * 1024;
constexpr int most_ordered_shared_bytes = 8 * 1024;  // of small results of up to four reductions, in tiles that follow the order of a box
// No box with more elements fits: tiles of three dimensions hold as many as large ones, or fewer.
constexpr index_t elements_in_large(tile_kind kind) { return index_t{most_tile_blocks} * widest_tile(kind) * highest_tile(kind); }
static_assert(index_t{most_tile_blocks} * space_threads * most_planes_of_tile <= elements_in_large(tile_kind::large));
constexpr index_t most_elements_in_tiles(const tile_layout& layout) { return elements_in_large(layout.keeps_part ? tile_kind::in_part : layout.is_tall ? tile_kind::tall : tile_kind::large); }

// Whether a box has enough of the elements of large tiles. Threads that have one element each take less time over the others, and full tiles with few rows on
// chip take half as long as a kernel for each node (bench/RESULTS.md).
constexpr bool is_full_enough(const tile_layout& layout, const box_sides& box, const tile_shape& tile, tile_kind kind) {
    const int columns = tile.width * tile.across;
    if (is_in_part(kind) && 2 * box.columns < columns) return false;
    return layout.runs_ahead ? index_t{5} * box.rows * box.columns >= index_t{columns} * tile.height * tile.down : 8 * box.columns > columns;
}

// Whether a loop has tiles of a kind that is for large boxes.
constexpr bool has_kind(const tile_layout& layout, tile_kind kind) { return kind == tile_kind::tall ? layout.is_tall : kind == tile_kind::large ? layout.is_large : layout.keeps_part; }

// The launch with the given number of blocks, or with fewer if there are fewer tiles; `elements_a_thread` is 0 if they do not fit.
inline tile_launch shape_for_blocks(const tile_layout& layout, const box_sides& box, int blocks, bool is_cluster, const tile_device& device, tile_kind asked = tile_kind::plain) {
    tile_launch launch;
    int least = 1, radius = 1;  // planes of a tile; rows and columns in which nodes read neighbours
    for (int k = 0; k < layout.images && !is_cluster; ++k) {
        const tile_border& border = layout.radius[k];
        if (border.planes > least) least = border.planes;
        if (border.rows > radius) radius = border.rows;
        if (border.columns > radius) radius = border.columns;
    }
    const bool overlaps = asked == tile_kind::overlapping;
    const int many = overlaps           ? most_overlapping_elements
                     : layout.rank == 3 ? most_planes_with_room(layout.bytes, layout.radius, layout.size, layout.images)
                                        : most_tile_elements(layout.rank, layout.bytes);
    const bool may_be_large = !overlaps && !is_cluster && blocks > 1;
    struct candidate {
        int elements_a_thread;
        tile_kind kind;
    };
    const candidate candidates[] = {{least_tile_elements(layout.rank), asked}, {many, asked}, {large_tile_elements, tile_kind::large}, {large_tile_elements, tile_kind::in_part}, {tall_tile_elements, tile_kind::tall}};
    const int room = device.shared_bytes - (layout.is_large || layout.is_tall ? most_own_shared_bytes_beside_large : most_own_shared_bytes);
    for (const auto [elements_a_thread, kind] : candidates) {
        const bool is_large = core::is_large(kind);
        if (kind > asked && !(may_be_large && has_kind(layout, kind))) continue;
        const tile_shape tile = layout.rank == 3 ? shape_of_tiles_in_space(box, blocks, elements_a_thread, least)
                                : overlaps       ? shape_of_overlapping_tiles(box.rows, box.columns, blocks, elements_a_thread, radius)
                                : is_large       ? shape_of_large_tiles(box.rows, box.columns, blocks, kind)
                                                 : shape_of_tiles(layout.rank, box.rows, box.columns, blocks, elements_a_thread);
        bool fits = tile.threads != 0 && (kind == asked || is_full_enough(layout, box, tile, kind));
        int shared = 0;
        large_rows rows;
        const int images = is_large && layout.takes_turns ? 1 : layout.images;
        for (int k = 0; k < images && fits; ++k) {
            const tile_border& border = layout.radius[k];
            fits = (tile.down == 1 || tile.height >= border.rows) && (tile.across == 1 || tile.width >= border.columns) && (tile.behind == 1 || tile.planes >= border.planes);
            const int size = static_cast<int>(layout.size[k]);
            if (is_large)
                rows.add(border, tile, columns_of_thread(elements_a_thread), size);
            else
                shared += overlaps ? border.overlapping_shared_bytes(tile, size) : border.shared_bytes(layout.rank, tile, size);
        }
        if (is_large && fits) {
            rows.add({}, tile, columns_of_thread(elements_a_thread), static_cast<int>(layout.bytes_in_rows));
            shared = rows.shared_bytes(tile, room);
            fits = kind != tile_kind::large || rows.are_on_chip(tile, room);  // else only a part is
        }
        const bool saves = layout.runs_ahead && layout.is_large && !layout.takes_turns && elements_a_thread > most_with_spare_registers && !is_large;
        if (saves) shared += static_cast<int>(layout.size[0]) * elements_a_thread * tile.threads;  // what an iteration changes that perhaps should not have run
        if (!fits || shared > room) continue;
        launch = {elements_a_thread, is_cluster || layout.rank == 1 ? blocks : tile.tiles(), tile.threads, shared, is_cluster, kind};
        break;
    }
    return launch;
}

// Whether a loop takes less time with tiles of one or three dimensions than without. If blocks wait for each other as often, as two nodes do that take turns, it
// depends on how many elements a thread has without tiles. Measured on an H100 (bench/RESULTS.md).
constexpr bool pays(const tile_layout& layout, index_t elements, const tile_launch& tiles, const tile_device& device) {
    if (layout.rank == 2 || layout.saves_barriers || tiles.blocks == 1) return true;
    const index_t elements_without = (elements - 1) / (index_t{device.sms} * persistent_threads) + 1;
    int radius = 1;
    for (int k = 0; k < layout.images; ++k)
        for (const int away : {layout.radius[k].planes, layout.radius[k].rows, layout.radius[k].columns}) radius = away > radius ? away : radius;
    return layout.rank == 3 && elements_without >= radius * (tiles.elements_a_thread == least_tile_elements(3) ? 2 : 4);
}
// Whether a box is dealt to a cluster if it fits into one with few elements a thread. The barrier of a cluster takes less time than that of a grid, but a grid has more
// blocks, and words take as long in both. Measured on an H100 (bench/RESULTS.md).
constexpr bool prefers_cluster(const tile_layout& layout, index_t elements, int most_in_block) {
    return elements > most_in_block && elements <= most_in_block * (layout.rank == 1 ? 4 : 8) && (layout.rank != 2 || layout.joins_at_barrier);
}

// The launch whose tiles are the pieces in which terms are joined, and that of large ones.
inline tile_launch large_shape_in_box_order(const tile_layout& layout, const tile_shape& tile, const tile_device& device) {
    if (!layout.is_large) return {};
    large_rows rows;
    rows.add(layout.radius[0], tile, columns_of_thread(large_tile_elements), static_cast<int>(layout.size[0]));
    const int room = device.shared_bytes - most_own_shared_bytes_beside_large, shared = rows.shared_bytes(tile, room);
    const bool is_whole = tile.rows_of_thread <= most_rows_of(tile_kind::large) && rows.are_on_chip(tile, room);
    if (shared > room || (!is_whole && !layout.keeps_part)) return {};
    return {large_tile_elements, box_order::patches, tile.threads, shared, false, is_whole ? tile_kind::large : tile_kind::in_part};
}
inline tile_launch shape_in_box_order(const tile_layout& layout, int rows, int columns, const tile_device& device) {
    const box_order order(rows, columns, layout.in_patches);
    if (!order.is_cut() || device.sms < box_order::patches) return {};
    const tile_shape tile = shape_in_order(rows, columns, order.elements);
    if (box_order::is_large(order.elements)) return large_shape_in_box_order(layout, tile, device);
    int shared = 0;
    for (int k = 0; k < layout.images; ++k) shared += layout.radius[k].shared_bytes(2, tile, static_cast<int>(layout.size[k]), copies_in_order(order.elements));
    if (order.elements == box_order::many) shared += static_cast<int>(layout.shared_bytes) * box_order::many * tile.threads;
    if (shared > device.shared_bytes - most_ordered_shared_bytes) return {};
    return {order.elements, box_order::patches, tile.threads, shared};
}

// A block, a cluster or the whole device, and no more elements a thread than it needs. If nothing fits, or takes less time without tiles, `elements_a_thread` is 0.
inline tile_launch shape_over_box(const tile_layout& layout, const box_sides& box, const tile_device& device) {
    if (layout.in_order) return shape_in_box_order(layout, box.rows, box.columns, device);
    const index_t elements = index_t{box.planes} * box.rows * box.columns;
    const int elements_a_thread = least_tile_elements(layout.rank), most_in_block = elements_a_thread * most_tile_threads(elements_a_thread);
    constexpr int most_in_cluster = 8;
    if (layout.rank == 1 && elements <= persistent_threads) return {};  // one block without tiles takes less time
    if (elements <= most_in_block)
        if (const tile_launch one = shape_for_blocks(layout, box, 1, false, device); one.elements_a_thread != 0) return one;
    const int blocks = device.sms < most_tile_blocks ? device.sms : most_tile_blocks;
    if (layout.may_overlap)
        if (const tile_launch overlapping = shape_for_blocks(layout, box, blocks, false, device, tile_kind::overlapping); overlapping.elements_a_thread != 0) return overlapping;
    tile_launch found;
    if (device.has_clusters && prefers_cluster(layout, elements, most_in_block)) found = shape_for_blocks(layout, box, most_in_cluster, true, device);
    if (found.elements_a_thread != elements_a_thread) found = shape_for_blocks(layout, box, blocks, false, device);
    return pays(layout, elements, found, device) ? found : tile_launch{};
}
inline tile_launch shape_in_tiles(const frame& f, const plan_node& r, const tile_device& device) {
    const tile_layout& layout = *r.from->lowered->tiles;
    const index_t elements = elements_of_box(f, r);
    if (layout.status != tile_status::tiles || elements <= 0 || elements > most_elements_in_tiles(layout) || !sums_begin_with_zero(f, r)) return {};
    return shape_over_box(layout, layout.rank > 1 ? first_box(f, r) : box_sides{1, 1, static_cast<int>(elements)}, device);
}

// Whether a plan has kernels with tiles.
constexpr bool has_tiles(const plan_view& p) {
    for (int r = 0; r < p.count.nodes; ++r) {
        const lowered_node* const lowered = p.nodes[r].from->lowered;
        if (lowered && lowered->tiles && lowered->tiles->status == tile_status::tiles) return true;
    }
    return false;
}

}  // namespace cograph::core
