// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/graph/graph_state.cuh>

namespace cograph::core {

// An update changes the launched graph, not the graph that it was made of. That one is changed when somebody asks for
// it, so that a picture or another executable of it has the present bindings.
inline void refresh_graph(graph_state& s) {
    const frame& f = s.f;
    driver_log log;
    const void* parameters[most_parameters];
    for (int at = 0; at < f.plan.count.nodes; ++at) {
        const plan_node& r = f.plan.nodes[at];
        if (r.kind == plan_node_kind::conditional || (s.merged.is_part(at) && s.merged.head[at] != at)) continue;
        if (r.from->traits->captures && s.is_capture_stale)
            throw error(place_of(f, r), "was captured again by an update, which changed the executable and not its graph: ask for the graph before it is updated");
        if (r.kind == plan_node_kind::work && !r.from->traits->is_kernel) continue;
        const cudaKernelNodeParams params = s.merged.is_part(at) ? describe_merged(f, at, s.kernels, s.tables(), parameters, log)
                                                                 : describe_kernel(f, r, s.kernels[r.code], s.tables(), parameters, log);
        check_node_call(cudaGraphKernelNodeSetParams(s.made.nodes[at], &params), "cudaGraphKernelNodeSetParams", f, r, &log);
    }
    s.is_graph_stale = false;
}

}  // namespace cograph::core
