// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/fill_frame.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/plan/persistent/eligibility.hpp>
#include <cograph/plan/tiles/tile_shape.hpp>
#include <cograph/run/cuda/cuda_error.cuh>

namespace cograph::core {

// Throws when a call made for a node failed; its name is read only then.
inline void check_node_call(cudaError_t code, const char* call, const frame& f, const plan_node& r, driver_log* log) {
    if (code != cudaSuccess) fail(code, call, place_of(f, r), log);
}

// Adds nodes that come before all others of a run, one after another and after some nodes of a graph: at most one for
// each variable. Writes them to `made`, and returns how many there are.
using begin_of_run = int (*)(const frame&, cudaGraph_t, const cudaGraphNode_t* after, int after_count, cudaGraphNode_t* made, driver_log&);

// The launch configuration of a node in one run.
struct launch_shape {
    dim3 grid;
    dim3 block;
    unsigned shared;
    bool empty;            // over no elements: not to be run
    unsigned cluster = 0;  // as shape_values has it
    bool cooperative = false;
    int priority = 0;
    bool one_element = false;  // of a persistent kernel: its threads have one at most
    bool may_shrink = true;    // small blocks have room for its groups of threads
    int few_in_tile = 0;       // of a persistent kernel with tiles: elements a thread
    bool deep_tiles = false;
};

inline int device_attribute(const frame& f, const plan_node& r, cudaDeviceAttr attribute) {
    int device = 0, value = 0;
    check_node_call(cudaGetDevice(&device), "cudaGetDevice", f, r, nullptr);
    check_node_call(cudaDeviceGetAttribute(&value, attribute, device), "cudaDeviceGetAttribute", f, r, nullptr);
    return value;
}

constexpr int most_tiles = persistent_threads / reduce_layout::lanes;

// A node with two kernels has one for blocks that are no larger.
constexpr int small_block = persistent_threads / 2;
constexpr int tiles_of_small_block = small_block / reduce_layout::lanes;

// The largest domains of the parts of a persistent node: elements of any part, and those that threads have alone; threads
// of all groups of a part, and those of parts with groups alone. Then the threads of one group.
struct largest_extents {
    index_t elements = 0, own = 0, threads = 0, of_groups = 0;
    int group = 0;
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
        if (together == 0 && n > largest.own) largest.own = n;
        if (threads > largest.threads) largest.threads = threads;
        if (together > 0 && !of.traits->reduces && threads > largest.of_groups) largest.of_groups = threads;
        if (together > largest.group) largest.group = together;
    }
    return largest;
}

// Of a block that has not asked for more. Persistent kernels have as much of their own.
constexpr unsigned usual_shared_bytes = 48 * 1024;

// Beyond this many elements memory takes the time, and separate kernels use it better: measured on an H200, on which
// the lines cross between four and seventeen million.
constexpr index_t most_persistent_elements = index_t{1} << 22;

inline bool is_too_large(const frame& f) {
    for (int i = 0; i < f.plan.count.nodes; ++i) {
        const plan_node& r = f.plan.nodes[i];
        if (r.kind != plan_node_kind::work || !r.from->traits->persistent) continue;
        const bool has_shape = r.from->lowered->grid != 0 && r.from->lowered->block != 0;
        if (!has_shape && extents_of_parts(f, r).elements > most_persistent_elements) return true;
        if (f.shared_of_groups && f.shared_of_groups(f, r, 1, 0).bytes > static_cast<unsigned>(device_attribute(f, r, cudaDevAttrMaxSharedMemoryPerBlockOptin)) - usual_shared_bytes)
            return true;
    }
    return false;
}

// A persistent kernel: one block while four tiles take all chunks, then one cluster, then the whole device, a block each
// multiprocessor.
inline launch_shape persistent_shape(const frame& f, const plan_node& r, int tiles) {
    if (f.shape_in_tiles && r.from->lowered->tiles) {
        const tile_launch found = f.shape_in_tiles(f, r, {device_attribute(f, r, cudaDevAttrMultiProcessorCount), device_attribute(f, r, cudaDevAttrMaxSharedMemoryPerBlockOptin),
                                                          device_attribute(f, r, cudaDevAttrComputeCapabilityMajor) >= 9});
        if (found.few != 0)
            return {.grid = dim3(static_cast<unsigned>(found.blocks)), .block = dim3(static_cast<unsigned>(found.threads)), .shared = static_cast<unsigned>(found.shared), .empty = false,
                    .cluster = found.is_cluster ? static_cast<unsigned>(found.blocks) | 1u << 8 | 1u << 16 : 0u, .cooperative = found.blocks > 1 && !found.is_cluster, .few_in_tile = found.few, .deep_tiles = found.is_deep};
    }
    const largest_extents most = extents_of_parts(f, r);
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
            const int multiprocessors = device_attribute(f, r, cudaDevAttrMultiProcessorCount);
            blocks = chunks < multiprocessors ? chunks : multiprocessors;
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
    // Groups for which small blocks have no room take turns, which costs more than registers kept in memory.
    shape.may_shrink = most.group <= small_block && most.of_groups <= index_t{small_block} * size.blocks;
    shape.one_element = most.own <= index_t{reduce_layout::lanes} * reduce_layout(most.own).chunks && most.own <= index_t{shape.grid.x} * shape.block.x;
    return shape;
}

// Of predicated nodes over elements, on each SM: enough to fill it twice. If they find nothing to do, that takes no
// longer than a launch.
constexpr index_t predicated_threads = 2 * 2048;

// In blocks of at most this many tiles, if it has tiles.
inline launch_shape shape_of(const frame& f, const plan_node& r, int tiles = most_tiles) {
    if (r.kind == plan_node_kind::condition) return {dim3(1), dim3(1), 0, false};
    const node_traits& traits = *r.from->traits;
    if (traits.persistent) return persistent_shape(f, r, tiles);
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
    if (const index_t in_cluster = shape.cluster & 255; in_cluster > 1) blocks = (blocks + in_cluster - 1) / in_cluster * in_cluster;
    shape.grid = dim3(static_cast<unsigned>(blocks));
    return shape;
}

// The kernels of a code for blocks of up to persistent_threads and up to small_block threads. Those of small blocks have twice
// the registers; more than fit are kept in memory.
struct kernel_pair {
    const void* of_large_blocks;
    const void* of_small_blocks;
};
// Stands in the table of kernels for a code that has two; a persistent node has two more, for threads with one element at most.
struct kernel_choice {
    kernel_pair of_any;
    kernel_pair of_one_element = {};
    kernel_pair of_tiles = {};  // of many elements a thread, and of few
    const void* of_deep_tiles = nullptr;
};
template <class Code, int Threads>
inline constexpr auto sized_kernel = nullptr;
template <class Code, int Threads>
inline constexpr auto sized_kernel_of_one_element = nullptr;
template <class Code, int Threads>
inline constexpr auto sized_compact_kernel = nullptr;
template <class Code>
kernel_choice all_kernels() {
    return {{(const void*)sized_kernel<Code, persistent_threads>, (const void*)sized_kernel<Code, small_block>},
            {(const void*)sized_kernel_of_one_element<Code, persistent_threads>, (const void*)sized_kernel_of_one_element<Code, small_block>}};
}

// The kernels of a loop whose blocks have Threads threads.
template <class Code, int Threads, bool Exact>
kernel_choice kernels_of_shape() {
    if constexpr (Exact) {
        const void* const only = (const void*)sized_compact_kernel<Code, Threads>;
        return {{only, only}, {only, only}};
    } else {
        const void* const of_any = (const void*)sized_kernel<Code, Threads>;
        const void* const of_one = (const void*)sized_kernel_of_one_element<Code, Threads>;
        return {{of_any, of_any}, {of_one, of_one}};
    }
}

// The launch of a node.
struct sized_launch {
    const void* kernel;
    launch_shape shape;
};

// Of the node's own code, or of the merged kernels that it leads. If there are several, one whose threads spill less
// than those of the ones before it: one element a thread, any number of them, and small blocks. Not otherwise,
// because fewer threads of small blocks may run at once. Those of a persistent node may be small anyway; other nodes
// keep their kernel when extents change.
inline sized_launch launch_of(const frame& f, const plan_node& r, const void* code, driver_log* log, const kernel_pair* led = nullptr) {
    const launch_shape shape = shape_of(f, r);
    if (!r.from->two_kernels) return {led ? led->of_large_blocks : code, shape};
    const kernel_choice all = reinterpret_cast<kernel_choice (*)()>(const_cast<void*>(code))();
    if (shape.few_in_tile != 0) {
        if (shape.deep_tiles) return {all.of_deep_tiles, shape};
        return {shape.few_in_tile <= most_few_in_tile ? all.of_tiles.of_small_blocks : all.of_tiles.of_large_blocks, shape};
    }
    if (r.from->traits->persistent && r.from->lowered->block != 0) return {shape.one_element ? all.of_one_element.of_large_blocks : all.of_any.of_large_blocks, shape};
    const bool is_small = r.from->traits->persistent && shape.block.x <= small_block;
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
    }
    const bool shrinks = best == in_turn[2] && !is_small;
    if (led) best = shrinks ? led->of_small_blocks : led->of_large_blocks;
    return {best, shrinks ? shape_of(f, r, tiles_of_small_block) : shape};
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
