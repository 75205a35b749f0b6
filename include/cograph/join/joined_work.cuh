// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/join/graph_memory.cuh>

namespace cograph::core {

// Whether a graph is the body of a conditional node. CUDA clones neither a body nor a graph that has conditional nodes; of these no call tells
// which they are.
inline bool is_body(cudaGraph_t graph, place what, driver_log& log) {
    graph_owner copy;
    const cudaError_t code = cudaGraphClone(copy.put(), graph);
    if (code == cudaErrorNotSupported) {
        cudaGetLastError();
        return captured_nodes(false, what).count_of(graph, cudaGraphNodeTypeConditional) == 0;
    }
    check(code, "cudaGraphClone", what, &log);
    return false;
}
// Throws at the first node that no body may hold; captures of other code are checked later.
inline void check_for_body(const frame& f, const plan_node& r) {
    if (r.region == 0 && r.from->traits->is_for_the_root && r.from->traits->is_for_the_root(*r.from))
        throw error(place_of(f, r), "joins the body of a loop or branch, and CUDA takes it outside of those only: put it before or after the loop or branch");
}

// The work of a frame in a foreign graph: all of its nodes, or none if one cannot be added. A graph of a capture is
// checked first; a CUDA call that fails after that makes the capture invalid.
class joined_work {
public:
    // After some nodes of the graph; for a graph of a capture, the stream.
    joined_work(const frame& f, cudaGraph_t graph, const cudaGraphNode_t* front, std::size_t front_count, const cudaStream_t* captured, place what, driver_log& log)
        : f_(f), graph_(graph), captured_(captured), what_(what), log_(log), prepared_(static_cast<std::size_t>(f.plan.count.nodes)) {
        const plan_counts& count = f.plan.count;
        const int behind = static_cast<int>(front_count) + 1;
        memory_ = heap_memory(index_t{3} * count.nodes + 2 * behind + count.regions + count.handles, sizeof(void*));
        tables_.nodes = static_cast<cudaGraphNode_t*>(memory_.get());
        tables_.after = tables_.nodes + count.nodes;
        last_ = tables_.after + count.nodes + behind;
        front_ = last_ + count.nodes;
        tables_.bodies = reinterpret_cast<cudaGraph_t*>(front_ + behind);
        tables_.handles = reinterpret_cast<cudaGraphConditionalHandle*>(tables_.bodies + count.regions);
        flags_ = heap_memory(index_t{2} * count.nodes, sizeof(bool));
        tables_.awaited = static_cast<bool*>(flags_.get());
        left_out_ = tables_.awaited + count.nodes;
        tables_.left_out = left_out_;
        tables_.bodies[0] = graph;
        for (std::size_t i = 0; i < front_count; ++i) front_[i] = front[i];
        tables_.front = front_;
        tables_.front_count = static_cast<int>(front_count);
    }
    ~joined_work() {
        if (is_done_) return;
        bool any = cleared_ || (begun() && begun()[0]);
        for (int r = f_.plan.count.nodes - 1; r >= 0; --r) {
            if (f_.plan.nodes[r].region != 0 || !tables_.nodes[r] || is_part(r)) continue;
            any = true;
            if (!captured_) cudaGraphDestroyNode(tables_.nodes[r]);
        }
        for (int i = f_.plan.count.named - 1; begun() && !captured_ && i >= 0; --i)
            if (begun()[i]) cudaGraphDestroyNode(begun()[i]);
        if (cleared_ && !captured_) cudaGraphDestroyNode(cleared_);
        // CUDA takes no node away while a graph is captured into. Waiting for the stream, which it refuses, makes the capture invalid.
        if (any && captured_) cudaStreamSynchronize(*captured_);
        cudaGetLastError();  // clears the error for the next call
    }
    joined_work(const joined_work&) = delete;
    joined_work& operator=(const joined_work&) = delete;

    // The graph owns the memory from now on, if the work stays.
    void own(graph_memory&& memory) { lease_.give(graph_, static_cast<graph_memory&&>(memory), what_, log_); }

    // The nodes before those of the work.
    void begin(begin_of_run first) {
        if (!first) return;
        begun_ = heap_memory(f_.plan.count.named, sizeof(cudaGraphNode_t));
        const int count = first(f_, graph_, front_, tables_.front_count, begun(), log_);
        if (count == 0) return;
        front_[0] = begun()[count - 1];
        tables_.front_count = 1;
    }

    // Clears memory before the work, in every launch.
    void clear(void* memory, std::size_t bytes) {
        cudaGraphNodeParams params{};
        params.type = cudaGraphNodeTypeMemset;
        params.memset.dst = memory;
        params.memset.elementSize = 1;
        params.memset.width = bytes;
        params.memset.height = 1;
        check(add_node(&cleared_, graph_, front_, nullptr, tables_.front_count, &params), "cudaGraphAddNode", what_, &log_);
        front_[0] = cleared_;
        tables_.front_count = 1;
    }

    // Adds every node. User captures are made before the graph is changed.
    void add(const void* const* kernels, const merged_tables& merged, const void* nothing, const void* nothing_programmatic, const node_switches* switches) {
        tables_.merged = merged;
        tables_.nothing = nothing;
        tables_.nothing_programmatic = nothing_programmatic;
        bool asks = false;
        for (int at = 0; at < f_.plan.count.nodes; ++at) asks |= f_.plan.nodes[at].kind == plan_node_kind::work && !f_.plan.nodes[at].from->traits->is_kernel;
        const bool in_body = asks && is_body(graph_, what_, log_);
        for (int at = 0; in_body && at < f_.plan.count.nodes; ++at) check_for_body(f_, f_.plan.nodes[at]);
        for (int at = 0; at < f_.plan.count.nodes; ++at) {
            const plan_node& r = f_.plan.nodes[at];
            if (r.kind != plan_node_kind::work) continue;
            left_out_[at] = (switches && switches->is_off(at)) || is_disabled(f_, r, nothing);
            if (r.from->traits->is_kernel || left_out_[at]) continue;
            other_code_at(kernels[r.code]).describe(f_, r, other_code_at(kernels[r.code]), graph_, prepared_[at].child, prepared_[at].params, log_);
            if (in_body && prepared_[at].child.get()) captured_nodes(true, place_of(f_, r)).check_all(prepared_[at].child.get());
        }
        tables_.prepared = prepared_.begin();
        materialize(f_, kernels, tables_, log_);
        for (int r = 0; r < f_.plan.count.nodes; ++r)
            if (f_.plan.nodes[r].region == 0 && !is_part(r) && !tables_.awaited[r]) last_[last_count_++] = tables_.nodes[r];
    }

    // The nodes that later nodes must wait for.
    const cudaGraphNode_t* last() const { return last_; }
    std::size_t last_count() const { return static_cast<std::size_t>(last_count_); }

    void stay() {
        lease_.stay();
        is_done_ = true;
    }

private:
    cudaGraphNode_t* begun() const { return static_cast<cudaGraphNode_t*>(begun_.get()); }
    // Whether a node is part of the kernel of another node.
    bool is_part(int r) const { return tables_.merged.is_part(r) && tables_.merged.head[r] != r; }

    const frame& f_;
    cudaGraph_t graph_;
    const cudaStream_t* captured_;
    place what_;
    driver_log& log_;
    heap_memory memory_, flags_, begun_;
    heap_array<prepared_node> prepared_;
    memory_lease lease_;
    graph_tables tables_{};
    cudaGraphNode_t* last_ = nullptr;
    cudaGraphNode_t* front_ = nullptr;
    cudaGraphNode_t cleared_ = nullptr;
    bool* left_out_ = nullptr;
    int last_count_ = 0;
    bool is_done_ = false;
};

}  // namespace cograph::core
