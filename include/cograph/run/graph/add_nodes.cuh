// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/kernel/merged_kernel.cuh>
#include <cograph/run/launch/kernel_table.cuh>
#include <cograph/run/launch/launch_config.cuh>

namespace cograph::core {

// Tables that a materialization fills: by node, by region, by handle.
struct graph_tables {
    cudaGraphNode_t* nodes;
    cudaGraphNode_t* after;  // those that one node waits for
    bool* awaited;           // nodes that others wait for; false at first
    cudaGraph_t* bodies;
    cudaGraphConditionalHandle* handles;
    merged_tables merged = {};
    const void* nothing = nullptr;       // the kernel of nodes that are left out; null: they are disabled
    struct device_update_plan* device_update = nullptr;  // of nodes that are written into from the device
    cudaGraphNode_t head = nullptr;      // then: the node that does so, before all
    const cudaGraphNode_t* front = nullptr;  // of a graph of somebody else's: the nodes that this waits for
    int front_count = 0;
    const bool* left_out = nullptr;      // by node: nodes that must not run, if they cannot be disabled later
    const void* nothing_programmatic = nullptr;  // then: the replacements of programmatic ones
    struct prepared_node* prepared = nullptr;    // by node, if those that are no kernels were described before
    // Makes a node one that can be written into; only programs that need it have it.
    void (*update_node)(device_update_plan&, const frame&, const plan_node&, const cudaGraphNodeParams&, cudaGraphNode_t, driver_log&) = nullptr;
};

inline cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, const cudaGraphEdgeData* kinds, int count, cudaGraphNodeParams* params) {
#if CUDART_VERSION >= 13000
    return cudaGraphAddNode(node, graph, after, kinds, static_cast<std::size_t>(count), params);
#else
    return cudaGraphAddNode_v2(node, graph, after, kinds, static_cast<std::size_t>(count), params);
#endif
}

// Adds the nodes of one region to its graph, in program order, each after its dependencies. In the body of a loop,
// the kernel that decides whether there is another iteration waits for all earlier nodes, directly or through others,
// and later nodes without a dependency wait for it. Every kernel therefore has another one between two of its runs.
// If a kernel is re-launched back to back, the driver sometimes fails the launch (580 on an H100 and an H200;
// docs/known-issues.md). In a loop, conditional nodes of one region run one after another: loops of thousands of
// iterations sometimes do not end if two run concurrently.
class node_adder {
public:
    node_adder(const frame& f, int region, const graph_tables& t) : f_(f), region_(region), t_(t) {
        const int owner = f.plan.regions[region].owner;
        in_loop_ = loop_around(f.plan, owner) >= 0;
        if (owner < 0 || !is_loop(f.plan.nodes[owner].control)) return;
        decides_ = f.plan.regions[region].last_node;
        if (t.merged.is_part(decides_)) decides_ = t.merged.head[decides_];
    }

    // The next node after `at` that gets its own graph node instead of sharing a kernel; -1 if none is left.
    int behind(int at) const {
        do at = f_.plan.nodes[at].next;
        while (at >= 0 && t_.merged.is_part(at) && t_.merged.head[at] != at);
        return at;
    }

    cudaError_t add(int at, cudaGraphNodeParams* params) {
        const plan_node& r = f_.plan.nodes[at];
        count_ = 0;
        for (int e = 0; e < r.edge_count; ++e) {  // each node is named once; nodes of one kernel have one node
            const int before = f_.plan.edges[r.first_edge + e];
            const bool merged = t_.merged.is_part(before);
            t_.awaited[merged ? t_.merged.head[before] : before] = true;
            if (!merged || find(before) == count_) t_.after[count_++] = t_.nodes[before];
        }
        const int planned = count_;
        if (region_ == 0 && count_ == 0 && t_.head) t_.after[count_++] = t_.head;
        if (region_ == 0 && count_ == 0)
            while (count_ < t_.front_count) {
                t_.after[count_] = t_.front[count_];
                ++count_;
            }
        if (at == decides_) {
            for (int other = f_.plan.regions[region_].first_node; other != at; other = behind(other))
                if (!t_.awaited[other]) wait_for(other);
        } else if (count_ == 0 && decides_ >= 0 && at > decides_) {
            wait_for(decides_);
        }
        if (in_loop_ && r.kind == plan_node_kind::conditional) {
            if (conditional_ >= 0 && find(conditional_) == count_) wait_for(conditional_);
            conditional_ = at;
        }
        if (planned == 0 || !is_programmatic(f_, r)) return add_node(&t_.nodes[at], t_.bodies[region_], t_.after, nullptr, count_, params);
        const heap_memory memory(count_, sizeof(cudaGraphEdgeData));
        cudaGraphEdgeData* const kinds = static_cast<cudaGraphEdgeData*>(memory.get());
        for (int e = 0; e < r.edge_count; ++e) make_programmatic(f_.plan.edges[r.first_edge + e], kinds);
        return add_node(&t_.nodes[at], t_.bodies[region_], t_.after, kinds, count_, params);
    }

private:
    // The position of a node among the dependencies; the end if it is not there.
    int find(int at) const {
        int i = 0;
        while (i < count_ && t_.after[i] != t_.nodes[at]) ++i;
        return i;
    }
    void wait_for(int at) {
        t_.awaited[at] = true;
        t_.after[count_++] = t_.nodes[at];
    }
    // From one programmatic kernel to another leads an edge of that kind.
    void make_programmatic(int from, cudaGraphEdgeData* kinds) const {
        if (!is_programmatic(f_, f_.plan.nodes[from])) return;
        cudaGraphEdgeData& kind = kinds[find(from)];
        kind.type = cudaGraphDependencyTypeProgrammatic;
        kind.from_port = cudaGraphKernelNodePortProgrammatic;
    }

    const frame& f_;
    const int region_;
    const graph_tables& t_;
    int decides_ = -1;  // in the body of a loop: the node whose kernel decides whether there is another iteration
    bool in_loop_ = false;
    int conditional_ = -1;  // the one that was added last
    int count_ = 0;         // of those that the node waits for
};

}  // namespace cograph::core
