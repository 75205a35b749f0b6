// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_order.hpp>
#include <cograph/plan/bind/fill_frame.hpp>
#include <cograph/plan/fusion/planes_with_result.hpp>
#include <cograph/plan/fusion/shared_iterations.hpp>
#include <cograph/plan/fusion/steps_in_a_pass.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/plan/persistent/loop/results.hpp>
#include <cograph/plan/persistent/loop/shape.hpp>
#include <cograph/plan/persistent/register_copies.hpp>
#include <cograph/plan/tiles/tile_launch.hpp>
#include <cograph/plan/tiles/tile_shape.hpp>
#include <cograph/run/launch/launch_shape.cuh>

namespace cograph::core {

// A node with two kernels has one for large blocks, and one for blocks of up to small_block threads.
constexpr int most_tiles = persistent_threads / reduce_layout::lanes;
constexpr int tiles_of_small_block = small_block / reduce_layout::lanes;

// The largest domains of the parts of a persistent node: elements of any part, and those that threads have alone; threads
// of all groups of a part, and those of parts with groups alone. Then the threads of one group, and the elements of the smallest domain.
struct largest_extents {
    index_t elements = 0, own = 0, threads = 0, of_groups = 0;
    int group = 0;
    index_t least_elements = -1;
};
inline largest_extents extents_of_parts(const frame& f, const plan_node& r) {
    largest_extents largest;
    for (int i = 0; i < r.argument_count; ++i) {
        const lowered_argument& of = r.from->lowered->arguments[i];
        if (!of.counts) continue;
        const int together = of.traits->threads_of_group;
        const index_t n = extent_of(f, r.from->arguments[i].form, f.plan.arguments[r.first_argument + i]);
        const index_t threads = together == 0 ? n : of.traits->groups_for(n) * together;
        if (n > largest.elements) largest.elements = n;
        if (n < largest.least_elements || largest.least_elements < 0) largest.least_elements = n;
        if (together == 0 && n > largest.own) largest.own = n;
        if (threads > largest.threads) largest.threads = threads;
        if (together > 0 && !of.traits->reduces && threads > largest.of_groups) largest.of_groups = threads;
        if (together > largest.group) largest.group = together;
    }
    return largest;
}

// Kernels whose threads keep elements count in int.
constexpr index_t most_counted_by_kept = index_t{1} << 30;
// Large blocks may have that much in local memory where small ones would keep no elements, or have two a thread instead of one. Measured with 72 bytes
// and 56: the small blocks are slower.
constexpr std::size_t most_spilled_to_keep = 96;

// A persistent kernel: one block while four tiles take all chunks, then one cluster, then the whole device, a block on
// each SM.
inline launch_shape persistent_shape(const frame& f, const plan_node& r, int tiles, bool may_keep) {
    if (r.from->lowered->small_blocks) tiles = tiles_of_small_block;
    if (f.shape_in_tiles && r.from->lowered->tiles) {
        const tile_launch found = f.shape_in_tiles(f, r, {device_attribute(f, r, cudaDevAttrMultiProcessorCount), device_attribute(f, r, cudaDevAttrMaxSharedMemoryPerBlockOptin),
                                                          device_attribute(f, r, cudaDevAttrComputeCapabilityMajor) >= 9});
        if (found.elements_a_thread != 0)
            return {.grid = dim3(static_cast<unsigned>(found.blocks)), .block = dim3(static_cast<unsigned>(found.threads)), .shared = static_cast<unsigned>(found.shared), .empty = false,
                    .cluster = found.is_cluster ? static_cast<unsigned>(found.blocks) | 1u << 8 | 1u << 16 : 0u, .cooperative = found.blocks > 1 && !found.is_cluster, .elements_a_thread = found.elements_a_thread, .tiles = found.kind};
    }
    const largest_extents most = extents_of_parts(f, r);
    if (r.from->lowered->kept && most.elements > most_counted_by_kept) tiles = tiles_of_small_block;  // whose kernel keeps none
    if (const kept_elements* const kept = may_keep && tiles == most_tiles ? r.from->lowered->kept : nullptr) {
        const int counted = 1 + kept->counted;  // after the kernel's own memory
        const index_t elements = extent_of(f, r.from->arguments[counted].form, f.plan.arguments[r.first_argument + counted]);
        constexpr index_t threads = index_t{reduce_layout::lanes} * reduce_layout::most_chunks;
        index_t of_thread = (elements + threads - 1) / threads;
        if (kept->in_box_order && of_thread < box_order::many / 2) of_thread = box_order::many / 2;  // places outside of the box count, too
        const index_t bytes = of_thread * kept->bytes * persistent_threads;
        const index_t most_bytes = device_attribute(f, r, cudaDevAttrMaxSharedMemoryPerBlockOptin);
        if (elements > threads && device_attribute(f, r, cudaDevAttrMultiProcessorCount) >= blocks_that_keep)
            return {.grid = dim3(blocks_that_keep), .block = dim3(persistent_threads), .shared = static_cast<unsigned>(bytes < most_bytes ? bytes : most_bytes), .empty = false, .cooperative = true, .keeps_elements = true};
    }
    const int chunks = reduce_layout(most.threads).chunks;
    constexpr int most_in_cluster = 8;
    int blocks = 1;
    unsigned cluster = 0;
    bool cooperative = false;
    const int given_grid = r.from->lowered->grid, given_block = r.from->lowered->block;
    const int tiles_of_block = given_block != 0 ? given_block / reduce_layout::lanes : most_tiles;
    if (given_grid != 0) {
        blocks = given_grid > 0 ? given_grid : device_attribute(f, r, cudaDevAttrMultiProcessorCount);
        const bool fits_cluster = blocks > 1 && blocks <= most_in_cluster && device_attribute(f, r, cudaDevAttrComputeCapabilityMajor) >= 9;
        if (fits_cluster) cluster = static_cast<unsigned>(blocks) | 1u << 8 | 1u << 16;
        cooperative = blocks > 1 && !fits_cluster;
    } else if (chunks > tiles_of_block) {
        if (chunks <= tiles_of_block * most_in_cluster && device_attribute(f, r, cudaDevAttrComputeCapabilityMajor) >= 9) {
            blocks = most_in_cluster;
            cluster = most_in_cluster | 1u << 8 | 1u << 16;
        } else {
            const int sms = device_attribute(f, r, cudaDevAttrMultiProcessorCount);
            blocks = chunks < sms ? chunks : sms;
            cooperative = true;
        }
    }
    launch_extent size = size_of_tiles(chunks, blocks, tiles);
    if (given_block != 0) size.threads = static_cast<unsigned>(given_block);
    if (size.threads < static_cast<unsigned>(most.group)) size.threads = static_cast<unsigned>(most.group);
    launch_shape shape{dim3(static_cast<unsigned>(size.blocks)), dim3(size.threads), 0, false};
    if (f.shared_of_groups)
        shape.shared = f.shared_of_groups(f, r, size.threads, static_cast<unsigned>(device_attribute(f, r, cudaDevAttrMaxSharedMemoryPerBlockOptin)) - usual_shared_bytes).bytes;
    shape.cluster = cluster;
    shape.cooperative = cooperative;
    // Groups for which small blocks have no room run one after another, which costs more than registers kept in memory.
    shape.may_shrink = most.group <= small_block && most.of_groups <= index_t{small_block} * size.blocks;
    shape.one_element = most.own <= index_t{reduce_layout::lanes} * reduce_layout(most.own).chunks && most.own <= index_t{shape.grid.x} * shape.block.x;
    if (shape.one_element && cooperative) {
        // One chunk each, or two. With more, sums of integers take longer than with a barrier.
        const auto of_pairs = static_cast<unsigned>((chunks + 2 * chunks_apart - 1) / (2 * chunks_apart) * chunks_apart);
        if (shape.block.x == reduce_layout::lanes)
            shape.blocks_that_send = shape.grid.x <= reduce_layout::lanes ? shape.grid.x : 0;
        else if (shape.block.x == small_block && chunks <= most_chunks_in_pairs && of_pairs <= shape.grid.x)
            shape.blocks_that_send = of_pairs;
    }
    return shape;
}

// Whether a loop has more elements than one kernel is good for and keeps no part of them on chip, or groups for which shared memory has no room; or whether
// all loops are over large boxes of three dimensions.
inline bool is_too_large(const frame& f) {
    bool has_planes = false, has_others = false;
    for (int i = 0; i < f.plan.count.nodes; ++i) {
        const plan_node& r = f.plan.nodes[i];
        if (r.kind != plan_node_kind::work || !r.from->traits->persistent) continue;
        const bool has_shape = r.from->lowered->grid != 0 && r.from->lowered->block != 0;
        const largest_extents most = extents_of_parts(f, r);
        const bool is_of_planes = r.from->lowered->takes_planes && most.least_elements > most_persistent_elements_of_planes;
        const bool is_large = !has_shape && (is_of_planes || most.elements > most_persistent_elements) && persistent_shape(f, r, most_tiles, false).elements_a_thread == 0;
        if (is_large && most.elements > most_persistent_elements) return true;
        (is_large ? has_planes : has_others) = true;
        if (f.shared_of_groups && f.shared_of_groups(f, r, 1, 0).bytes > static_cast<unsigned>(device_attribute(f, r, cudaDevAttrMaxSharedMemoryPerBlockOptin)) - usual_shared_bytes)
            return true;
    }
    return has_planes && !has_others;
}

// Whether parts of a pass compute at most twice the elements of a loop's box, if that has three dimensions. Measured on an H100 (bench/RESULTS.md).
inline bool fills_parts(const frame& f, const plan_node& r) {
    const tile_layout* const layout = r.from->lowered->tiles;
    if (!layout || layout->rank != 3) return true;
    const box_sides box = first_box(f, r);
    const index_t columns = index_t{quotient_up(box.columns, pass_tile::columns)} * pass_tile::columns, rows = index_t{quotient_up(box.rows, pass_tile::rows)} * pass_tile::rows;
    return columns * rows <= index_t{2} * box.columns * box.rows;
}
// Whether passes pay in all loops.
inline bool is_beyond_caches(const frame& f, when_passes_pay const& when) {
    for (int i = 0; i < f.plan.count.nodes; ++i) {
        const plan_node& r = f.plan.nodes[i];
        if (r.kind != plan_node_kind::work || !r.from->traits->persistent) continue;
        const index_t most = (index_t{when.mebibytes} << 20) / when.bytes;
        if (extents_of_parts(f, r).elements <= most || !fills_parts(f, r) || (when.after_tiles && persistent_shape(f, r, most_tiles, false).elements_a_thread != 0)) return false;
    }
    return true;
}

// Whether a node has the box of another one among their parameters, where their own begin.
inline bool has_box_of(const frame& f, const plan_node& a, const node_spec& node, int first, const plan_node& b, const node_spec& other, int first_of_other) {
    for (int d = 0; d < node.traits->box_rank; ++d)
        if (index_among_parameters(f, a, first + node.traits->first_side + d) != index_among_parameters(f, b, first_of_other + other.traits->first_side + d)) return false;
    return true;
}
// Whether nodes that share kernels have one box where their numbers must be equal: nodes with reductions in their kernels, and steps in two passes, which are
// one after the other.
inline bool has_equal_boxes(const frame& f) {
    const plan_node* first_pass = nullptr;
    for (int i = 0; i < f.plan.count.nodes; ++i) {
        const plan_node& r = f.plan.nodes[i];
        const bool is_pass = lowering_of(*r.from).is_pass;
        if (r.from->traits != &planes_with_result_traits && !is_pass) continue;
        const node_spec* const* const parts = r.from->lowered->parts;
        for (int part = 1, first = parts[0]->argument_count; part < r.from->leaves && !lowering_of(*parts[part]).turns_back; first += parts[part++]->argument_count)
            if (!has_box_of(f, r, *parts[0], 0, r, *parts[part], first)) return false;
        if (is_pass && first_pass && !has_box_of(f, r, *parts[0], 0, *first_pass, *first_pass->from->lowered->parts[0], 0)) return false;
        if (is_pass) first_pass = first_pass ? nullptr : &r;
    }
    return true;
}

}  // namespace cograph::core
