// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

namespace cograph::core {

// Limits that every GPU meets.
constexpr index_t most_threads = 1024;             // of a block
constexpr index_t most_threads_along_z = 64;       // of a block
constexpr index_t most_blocks = 2147483647;        // along x
constexpr index_t most_blocks_along_y_z = 65535;
constexpr index_t most_blocks_in_cluster = 16;     // beyond 8 on some GPUs only
constexpr index_t most_shared_bytes = 232448;      // of a block, on the GPUs that have most

constexpr bool block_fits(index_t x, index_t y, index_t z) {
    return x <= most_threads && y <= most_threads && z <= most_threads_along_z && x * y * z <= most_threads;
}
// Whether a group can have this many threads: lanes of one warp, or whole warps of a block.
constexpr bool is_group_size(index_t size) { return size >= 1 && size <= most_threads && (size & (size - 1)) == 0; }
constexpr bool grid_fits(index_t x, index_t y, index_t z) {
    return x <= most_blocks && y <= most_blocks_along_y_z && z <= most_blocks_along_y_z;
}

}  // namespace cograph::core
