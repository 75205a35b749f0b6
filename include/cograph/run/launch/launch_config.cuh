// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/fill_frame.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/plan/tiles/tile_shape.hpp>
#include <cograph/run/cuda/cuda_error.cuh>
#include <cograph/run/launch/kernel_choice.cuh>
#include <cograph/run/launch/launch_shape.cuh>
#include <cograph/run/launch/persistent_shape.cuh>

namespace cograph::core {

// Adds nodes that come before all others of a run, one after another and after some nodes of a graph: at most one for
// each variable. Writes them to `made`, and returns how many there are.
using begin_of_run = int (*)(const frame&, cudaGraph_t, const cudaGraphNode_t* after, int after_count, cudaGraphNode_t* made, driver_log&);

// Of predicated nodes over elements, on each SM: enough to fill it twice. If they find nothing to do, that takes no
// longer than a launch.
constexpr index_t predicated_threads = 2 * 2048;

// In blocks of at most this many tiles, if it has tiles.
inline launch_shape shape_of(const frame& f, const plan_node& r, int tiles = most_tiles, bool may_keep = true) {
    if (r.kind == plan_node_kind::condition) return {dim3(1), dim3(1), 0, false};
    const node_traits& traits = *r.from->traits;
    if (traits.persistent) return persistent_shape(f, r, tiles, may_keep);
    const shape_values& s = f.records[r.leaf].shape;
    launch_shape shape{dim3(s.grid[0], s.grid[1], s.grid[2]), dim3(s.block[0], s.block[1], s.block[2]), 0, false};
    if (traits.takes_shape) {
        shape.shared = s.shared;
        shape.cluster = s.cluster;
        shape.cooperative = s.cooperative;
        shape.priority = s.priority;
    }
    if (!traits.size) return shape;
    const index_t n = traits.counts_elements ? domain_size(f, r) : 1;
    launch_extent size = traits.size({n, s.block[0], r.from->elements_a_thread, tiles});
    if (f.shared_of_groups && traits.threads_of_group > 0)
        if (const groups_of_block found = f.shared_of_groups(f, r, size.threads, usual_shared_bytes); found.bytes > 0) {
            size = traits.size({n, found.groups * static_cast<unsigned>(traits.threads_of_group), 1, tiles});
            shape.shared = found.bytes;
        }
    shape.block = dim3(size.threads);
    shape.empty = traits.takes_shape && !traits.decides && n == 0;
    index_t blocks = size.blocks;
    if (r.from->lowered && r.from->lowered->predicated && traits.takes_shape && blocks * shape.block.x > predicated_threads * 64) {
        const index_t most = device_attribute(f, r, cudaDevAttrMultiProcessorCount) * predicated_threads / shape.block.x;
        if (most < blocks) blocks = most;
    }
    if (const unsigned at_once = lowering_of(*r.from).at_once; at_once != 0) {
        const index_t most = index_t{device_attribute(f, r, cudaDevAttrMultiProcessorCount)} * (at_once / shape.block.x), turns = (blocks + most - 1) / most;
        blocks = (blocks + turns - 1) / turns;
    }
    if (const index_t in_cluster = shape.cluster & 255; in_cluster > 1) blocks = (blocks + in_cluster - 1) / in_cluster * in_cluster;
    shape.grid = dim3(static_cast<unsigned>(blocks));
    return shape;
}

// The launch of a node.
struct sized_launch {
    const void* kernel;
    launch_shape shape;
};

// Of the node's own code, or of the merged kernels that it leads. If there are several, one whose threads spill less
// than those of the ones before it: one element a thread, any number of them, and small blocks. Not otherwise,
// because fewer threads of small blocks may run at once: a persistent node may spill a little for that reason. Its blocks may be small anyway; other nodes
// keep their kernel when extents change.
inline sized_launch launch_of(const frame& f, const plan_node& r, const void* code, driver_log* log, const kernel_pair* led = nullptr) {
    launch_shape shape = shape_of(f, r);
    if (!r.from->two_kernels) return {led ? led->of_large_blocks : code, shape};
    const kernel_choice all = reinterpret_cast<kernel_choice (*)()>(const_cast<void*>(code))();
    if (shape.tiles == tile_kind::tall) return {all.of_tall_tiles, shape};
    if (shape.tiles == tile_kind::large) return {all.of_large_tiles, shape};
    if (shape.tiles == tile_kind::in_part) return {all.of_parts, shape};
    if (shape.elements_a_thread != 0) {
        const kernel_pair& of_tiles = shape.tiles == tile_kind::overlapping ? all.of_overlapping_tiles : all.of_tiles;
        return {shape.elements_a_thread <= most_with_spare_registers ? of_tiles.of_small_blocks : of_tiles.of_large_blocks, shape};
    }
    if (shape.keeps_elements) {
        cudaFuncAttributes found{};
        check_node_call(cudaFuncGetAttributes(&found, all.of_any.of_large_blocks), "cudaFuncGetAttributes", f, r, log);
        const auto room = static_cast<unsigned>(device_attribute(f, r, cudaDevAttrMaxSharedMemoryPerBlockOptin) - static_cast<int>(found.sharedSizeBytes));
        if (shape.shared > room) shape.shared = room;
        if (found.localSizeBytes <= most_spilled_to_keep) return {all.of_any.of_large_blocks, shape};
        shape = shape_of(f, r, most_tiles, false);
    }
    if (all.of_sending_grid && shape.blocks_that_send != 0) {
        cudaFuncAttributes found{};
        check_node_call(cudaFuncGetAttributes(&found, all.of_sending_grid), "cudaFuncGetAttributes", f, r, log);
        if (found.localSizeBytes == 0) {
            shape.grid.x = shape.blocks_that_send;
            return {all.of_sending_grid, shape};
        }
    }
    // Of a given size, blocks keep it, and have kernels for no other.
    const bool is_small = r.from->traits->persistent && (shape.block.x <= small_block || r.from->lowered->block != 0);
    const kernel_pair& preferred = shape.one_element ? all.of_one_element : all.of_any;
    const void* const in_turn[] = {is_small ? preferred.of_small_blocks : preferred.of_large_blocks,
                                   is_small ? all.of_any.of_small_blocks : all.of_any.of_large_blocks, all.of_any.of_small_blocks};
    const void* best = in_turn[0];
    std::size_t least = ~std::size_t{0};
    for (const void* const kernel : in_turn) {
        if (best == in_turn[2] || least == 0 || (kernel == in_turn[2] && !shape.may_shrink)) break;
        cudaFuncAttributes found{};
        check_node_call(cudaFuncGetAttributes(&found, kernel), "cudaFuncGetAttributes", f, r, log);
        if (found.localSizeBytes >= least) continue;
        least = found.localSizeBytes;
        best = kernel;
        if (shape.one_element && kernel == in_turn[0] && !is_small && least <= most_spilled_to_keep) break;
    }
    const bool shrinks = best == in_turn[2] && !is_small;
    if (led) best = shrinks ? led->of_small_blocks : led->of_large_blocks;
    return {best, shrinks ? shape_of(f, r, tiles_of_small_block) : shape};
}

// Whether a persistent node may take another kernel for one of two shapes than for the other.
inline bool may_take_other_kernel(const launch_shape& a, const launch_shape& b) {
    if (a.keeps_elements != b.keeps_elements || (a.keeps_elements && a.shared != b.shared)) return true;
    if (a.elements_a_thread != b.elements_a_thread || a.tiles != b.tiles) return true;
    if ((a.blocks_that_send == 0) != (b.blocks_that_send == 0)) return true;
    return a.one_element != b.one_element || (a.block.x > small_block) != (b.block.x > small_block);
}

// More than 48 KiB of shared memory must be asked for: for as much as there is, since other nodes, of other threads too, may need
// more for the same kernel.
inline void allow_shared(const frame& f, const plan_node& r, const void* kernel, unsigned bytes, driver_log* log) {
    const bool has_own = r.from->traits->persistent || r.from->traits->threads_of_group > 0;  // which counts, too
    if (bytes == 0 || (!has_own && bytes <= usual_shared_bytes)) return;
    cudaFuncAttributes found{};
    check_node_call(cudaFuncGetAttributes(&found, kernel), "cudaFuncGetAttributes", f, r, log);
    const int wanted = static_cast<int>(bytes);
    const bool is_usual = bytes + found.sharedSizeBytes <= usual_shared_bytes;
    if (is_usual || (found.maxDynamicSharedSizeBytes >= wanted && found.maxDynamicSharedSizeBytes > static_cast<int>(usual_shared_bytes))) return;
    const int most = device_attribute(f, r, cudaDevAttrMaxSharedMemoryPerBlockOptin) - static_cast<int>(found.sharedSizeBytes);
    check_node_call(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, wanted < most ? most : wanted), "cudaFuncSetAttribute", f, r, log);
}

// The launch attributes in addition to its size.
struct launch_attributes {
    cudaLaunchAttribute all[4];
    unsigned count = 0;

    explicit launch_attributes(const launch_shape& shape) {
        if (shape.cooperative) add(cudaLaunchAttributeCooperative).cooperative = 1;
        if (shape.priority != 0) add(cudaLaunchAttributePriority).priority = shape.priority;
        if (shape.cluster == 0) return;
        auto& sides = add(cudaLaunchAttributeClusterDimension).clusterDim;
        sides.x = shape.cluster & 255;
        sides.y = shape.cluster >> 8 & 255;
        sides.z = shape.cluster >> 16 & 255;
    }
    cudaLaunchAttributeValue& add(cudaLaunchAttributeID id) {
        all[count] = {};
        all[count].id = id;
        return all[count++].val;
    }
};

// A cluster of more than eight blocks must be asked for.
inline void allow_cluster(const frame& f, const plan_node& r, const void* kernel, unsigned cluster, driver_log* log) {
    if ((cluster & 255) * (cluster >> 8 & 255) * (cluster >> 16 & 255) <= 8) return;
    check_node_call(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "cudaFuncSetAttribute", f, r, log);
}

// Whether a kernel may begin before another ends that it waits for: both must be programmatic. One that runs over no
// elements cannot.
inline bool is_programmatic(const frame& f, const plan_node& r) {
    return r.kind == plan_node_kind::work && r.from->traits->is_kernel && f.records[r.leaf].shape.programmatic && !shape_of(f, r).empty;
}

}  // namespace cograph::core
