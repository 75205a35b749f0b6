// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/frame.hpp>
#include <cograph/run/error.cuh>

namespace cograph {

// Throws when a call made for a row failed; its name is read only then.
inline void check_row(cudaError_t code, const char* call, const frame& f, const row& r, driver_log* log) {
    if (code != cudaSuccess) fail(code, call, place_of(f, r), log);
}

// The launch configuration of a row in one run.
struct launch_shape {
    dim3 grid;
    dim3 block;
    unsigned shared;
    bool empty;  // an opaque kernel over no elements: not to be run
};

inline launch_shape shape_of(const frame& f, const row& r) {
    if (r.kind == row_kind::condition) return {dim3(1), dim3(1), 0, false};
    const shape_values& s = f.records[r.leaf].shape;
    launch_shape shape{dim3(s.grid[0], s.grid[1], s.grid[2]), dim3(s.block[0], s.block[1], s.block[2]), s.shared, false};
    index_t blocks = 1;
    switch (r.from->rule) {
        case launch_rule::given: return shape;
        case launch_rule::single: return {dim3(1), dim3(1), 0, false};
        case launch_rule::per_chunk:
            shape.block = dim3(reduce_layout::lanes);
            blocks = reduce_layout(domain_size(f, r)).chunks;
            break;
        case launch_rule::per_element:
            const index_t n = domain_size(f, r);
            shape.empty = n == 0;
            blocks = n == 0 ? 1 : (n + shape.block.x - 1) / shape.block.x;
            break;
    }
    if (blocks > 0x7fffffff) throw error(place_of(f, r), "needs more blocks than a grid can have (2147483647): use larger blocks");
    shape.grid = dim3(static_cast<unsigned>(blocks));
    return shape;
}

// More than 48 KiB of dynamic shared memory must be asked for.
inline void allow_shared(const frame& f, const row& r, const void* kernel, unsigned bytes, driver_log* log) {
    if (bytes <= 48 * 1024) return;
    check_row(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
              "cudaFuncSetAttribute", f, r, log);
}

}  // namespace cograph
