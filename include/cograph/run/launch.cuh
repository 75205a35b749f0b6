// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/frame.hpp>
#include <cograph/plan/persist.hpp>
#include <cograph/run/error.cuh>

namespace cograph::core {

// Throws when a call made for a row failed; its name is read only then.
inline void check_row(cudaError_t code, const char* call, const frame& f, const row& r, driver_log* log) {
    if (code != cudaSuccess) fail(code, call, place_of(f, r), log);
}

// The launch configuration of a row in one run.
struct launch_shape {
    dim3 grid;
    dim3 block;
    unsigned shared;
    bool empty;            // an opaque kernel over no elements: not to be run
    unsigned cluster = 0;  // as shape_values has it
    bool cooperative = false;
    int priority = 0;
};

inline int device_attribute(const frame& f, const row& r, cudaDeviceAttr attribute) {
    int device = 0, value = 0;
    check_row(cudaGetDevice(&device), "cudaGetDevice", f, r, nullptr);
    check_row(cudaDeviceGetAttribute(&value, attribute, device), "cudaDeviceGetAttribute", f, r, nullptr);
    return value;
}

// Persistent nodes have a second kernel for blocks that are no larger.
constexpr unsigned small_block = persistent_threads / 2;

constexpr int most_tiles = persistent_threads / reduce_layout::lanes;

// As many blocks, of as many tiles as their share of the chunks needs.
inline launch_shape tiled_shape(int chunks, int blocks) {
    const int tiles = (chunks + blocks - 1) / blocks;
    return {dim3(static_cast<unsigned>(blocks)), dim3(reduce_layout::lanes * static_cast<unsigned>(tiles < most_tiles ? tiles : most_tiles)), 0, false};
}

// A tile for every chunk.
inline launch_shape chunked_shape(int chunks) { return tiled_shape(chunks, (chunks + most_tiles - 1) / most_tiles); }

// The most elements that a part of a persistent node runs over.
inline index_t largest_extent(const frame& f, const row& r) {
    index_t largest = 0;
    for (int i = 0; i < r.argument_count; ++i) {
        if (!r.from->arguments[i].counts) continue;
        const index_t n = extent_of(f, f.plan.arguments[r.first_argument + i]);
        if (n > largest) largest = n;
    }
    return largest;
}

// Beyond so many elements memory is what takes the time, and a node each uses it better: measured on an H200, where the
// lines cross between four and seventeen million.
constexpr index_t most_persistent_elements = index_t{1} << 22;

inline bool is_too_large(const frame& f) {
    for (int i = 0; i < f.plan.count.rows; ++i) {
        const row& r = f.plan.rows[i];
        if (r.kind == row_kind::work && r.from->rule == launch_rule::persistent && largest_extent(f, r) > most_persistent_elements)
            return true;
    }
    return false;
}

// A persistent kernel: one block while four tiles take all chunks, then one cluster, then the whole device, a block each
// multiprocessor.
inline launch_shape persistent_shape(const frame& f, const row& r) {
    const int chunks = reduce_layout(largest_extent(f, r)).chunks;
    constexpr int most_in_cluster = 8;
    if (chunks <= most_tiles) return tiled_shape(chunks, 1);
    if (chunks <= 2 * most_tiles * most_in_cluster && device_attribute(f, r, cudaDevAttrComputeCapabilityMajor) >= 9) {
        launch_shape shape = tiled_shape(chunks, most_in_cluster);
        shape.cluster = most_in_cluster | 1u << 8 | 1u << 16;
        return shape;
    }
    const int most_blocks = device_attribute(f, r, cudaDevAttrMultiProcessorCount);
    launch_shape shape = tiled_shape(chunks, chunks < most_blocks ? chunks : most_blocks);
    shape.cooperative = true;
    return shape;
}

// Of guarded nodes over elements, on each multiprocessor: what fills it twice. Where they find nothing to do, that takes no longer
// than a launch.
constexpr index_t guarded_threads = 2 * 2048;

inline launch_shape shape_of(const frame& f, const row& r) {
    if (r.kind == row_kind::condition) return {dim3(1), dim3(1), 0, false};
    const shape_values& s = f.records[r.leaf].shape;
    launch_shape shape{dim3(s.grid[0], s.grid[1], s.grid[2]), dim3(s.block[0], s.block[1], s.block[2]), s.shared, false,
                       s.cluster, s.cooperative, s.priority};
    index_t blocks = 1;
    switch (r.from->rule) {
        case launch_rule::given: return shape;
        case launch_rule::persistent: return persistent_shape(f, r);
        case launch_rule::single: return {dim3(1), dim3(1), 0, false};
        case launch_rule::per_chunk:
            return chunked_shape(reduce_layout(domain_size(f, r)).chunks);
        case launch_rule::per_element:
            const index_t n = domain_size(f, r);
            if (!r.from->opaque) shape.block = dim3(shape.block.x);  // library nodes count along x
            shape.empty = n == 0;
            blocks = n == 0 ? 1 : (n + shape.block.x - 1) / shape.block.x;
            if (r.from->guarded && blocks * shape.block.x > guarded_threads * 64) {
                const index_t most = device_attribute(f, r, cudaDevAttrMultiProcessorCount) * guarded_threads / shape.block.x;
                if (most < blocks) blocks = most;
            }
            if (const index_t in_cluster = s.cluster & 255; in_cluster > 1) blocks = (blocks + in_cluster - 1) / in_cluster * in_cluster;
            break;
    }
    shape.grid = dim3(static_cast<unsigned>(blocks));
    return shape;
}

// The kernels of a persistent node, for blocks of up to so many threads. Those of small blocks have twice the registers.
struct persistent_kernels {
    const void* of_large_blocks;
    const void* of_small_blocks;
};

// What is launched for a code: the code, but of a persistent node the kernel of small blocks where they are small, and where
// threads of large blocks would have too few registers.
inline const void* choose_kernel(const frame& f, const row& r, const void* code, launch_shape& shape, driver_log* log) {
    if (r.kind != row_kind::work || r.from->rule != launch_rule::persistent) return code;
    const persistent_kernels both = reinterpret_cast<persistent_kernels (*)()>(const_cast<void*>(code))();
    if (shape.block.x > small_block) {
        cudaFuncAttributes found{};
        check_row(cudaFuncGetAttributes(&found, both.of_large_blocks), "cudaFuncGetAttributes", f, r, log);
        if (found.localSizeBytes == 0) return both.of_large_blocks;
        shape.block.x = small_block;
    }
    return both.of_small_blocks;
}

// More than 48 KiB of dynamic shared memory must be asked for.
inline void allow_shared(const frame& f, const row& r, const void* kernel, unsigned bytes, driver_log* log) {
    if (bytes <= 48 * 1024) return;
    check_row(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
              "cudaFuncSetAttribute", f, r, log);
}

// What a launch is asked for beside its size.
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
inline void allow_cluster(const frame& f, const row& r, const void* kernel, unsigned cluster, driver_log* log) {
    if ((cluster & 255) * (cluster >> 8 & 255) * (cluster >> 16 & 255) <= 8) return;
    check_row(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "cudaFuncSetAttribute", f, r, log);
}

// Whether a kernel may begin before another ends that it waits for: both must say so. One that runs over no elements cannot.
inline bool is_programmatic(const frame& f, const row& r) {
    return r.kind == row_kind::work && r.from->form == node_form::kernel && f.records[r.leaf].shape.programmatic && !shape_of(f, r).empty;
}

}  // namespace cograph::core
