// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/fill_frame.hpp>
#include <cograph/run/cuda/cuda_error.cuh>
#include <cograph/run/memory/handle.cuh>

namespace cograph::core {

// How a node that is not a kernel runs. The table of kernels leads to one of these for such a node, so a program
// contains these functions only if an expression has such nodes: every program is compiled only with kernels and
// conditions.
struct other_code {
    // Describes the graph's node. The targets of its parameters live in `child` until the node is added, when CUDA
    // copies them.
    void (*describe)(const frame&, const plan_node&, const other_code&, cudaGraph_t graph, graph_owner& child, cudaGraphNodeParams&, driver_log&);
    void (*enqueue)(const frame&, const plan_node&, const other_code&, cudaStream_t, driver_log&);
    // Sets the sizes of its workspaces, which follow from the bindings; null if there are none.
    void (*size)(frame&, const plan_node&, const other_code&);
};

// A child graph that allocates memory is moved into its graph, which owns it then: CUDA copies none, and does not update it.
#if CUDART_VERSION >= 12090
constexpr bool can_move_children = true;
inline void move_child(cudaGraphNodeParams& params) { params.graph.ownership = cudaGraphChildGraphOwnershipMove; }
inline bool is_moved(const cudaGraphNodeParams& params) { return params.type == cudaGraphNodeTypeGraph && params.graph.ownership == cudaGraphChildGraphOwnershipMove; }
#else
constexpr bool can_move_children = false;
inline void move_child(cudaGraphNodeParams&) {}
constexpr bool is_moved(const cudaGraphNodeParams&) { return false; }
#endif

inline const other_code& other_code_at(const void* code) { return *static_cast<const other_code*>(code); }

// Sets the sizes of all workspaces.
inline void size_workspaces(frame& f, const void* const* codes) {
    for (int i = 0; i < f.plan.count.nodes; ++i) {
        const plan_node& r = f.plan.nodes[i];
        if (!r.from->traits->is_kernel && other_code_at(codes[r.code]).size) other_code_at(codes[r.code]).size(f, r, other_code_at(codes[r.code]));
    }
}

}  // namespace cograph::core
