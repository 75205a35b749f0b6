// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/fill_frame.hpp>
#include <cograph/plan/tables/tile_kind.hpp>
#include <cograph/run/cuda/cuda_error.cuh>

namespace cograph::core {

// Throws when a call made for a node failed; its name is read only then.
inline void check_node_call(cudaError_t code, const char* call, const frame& f, const plan_node& r, driver_log* log) {
    if (code != cudaSuccess) fail(code, call, place_of(f, r), log);
}

// The launch configuration of a node in one run.
struct launch_shape {
    dim3 grid;
    dim3 block;
    unsigned shared;
    bool empty;            // over no elements: not to be run
    unsigned cluster = 0;  // as shape_values has it
    bool cooperative = false;
    int priority = 0;
    bool one_element = false;       // of a persistent kernel: its threads have one at most
    bool may_shrink = true;         // small blocks have room for its groups of threads
    int elements_a_thread = 0;      // of a persistent kernel with tiles
    tile_kind tiles = tile_kind::plain;
    bool keeps_elements = false;    // of a persistent kernel: its threads keep several
    unsigned blocks_that_send = 0;  // of a persistent kernel: if blocks may send results to each other, that many are enough
};

inline int device_attribute(const frame& f, const plan_node& r, cudaDeviceAttr attribute) {
    int device = 0, value = 0;
    check_node_call(cudaGetDevice(&device), "cudaGetDevice", f, r, nullptr);
    check_node_call(cudaDeviceGetAttribute(&value, attribute, device), "cudaDeviceGetAttribute", f, r, nullptr);
    return value;
}

// Of a block that has not asked for more. Persistent kernels have as much of their own.
constexpr unsigned usual_shared_bytes = 48 * 1024;

}  // namespace cograph::core
