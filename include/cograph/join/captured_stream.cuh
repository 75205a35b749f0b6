// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/join/joined_work.cuh>

namespace cograph::core {

// Work that joins the capture of a stream, in the order of the stream.

// Whether it is. Throws error if the capture is invalid already.
inline bool is_captured(cudaStream_t stream, place what) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (const cudaError_t code = cudaStreamIsCapturing(stream, &status); code != cudaSuccess) fail_launch("cudaStreamIsCapturing", code, stream, what);
    if (status == cudaStreamCaptureStatusInvalidated) throw error(what, "is on a stream whose capture is invalid already: end the capture, which gives no graph");
    return status == cudaStreamCaptureStatusActive;
}

// The position of a stream's capture: its graph, and the nodes that its next node waits for, as CUDA lends them.
struct capture_place {
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t* front = nullptr;
    std::size_t front_count = 0;

    capture_place(cudaStream_t stream, place what, driver_log& log) {
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
        const cudaGraphEdgeData* kinds = nullptr;
#if CUDART_VERSION >= 13000
        check(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &front, &kinds, &front_count), "cudaStreamGetCaptureInfo", what, &log);
#else
        check(cudaStreamGetCaptureInfo_v3(stream, &status, nullptr, &graph, &front, &kinds, &front_count), "cudaStreamGetCaptureInfo", what, &log);
#endif
    }
};

// Later captured work waits for this work, which stays.
inline void go_on_behind(joined_work& work, cudaStream_t stream, place what, driver_log& log) {
    cudaGraphNode_t* const last = const_cast<cudaGraphNode_t*>(work.last());
#if CUDART_VERSION >= 13000
    check(cudaStreamUpdateCaptureDependencies(stream, last, nullptr, work.last_count(), cudaStreamSetCaptureDependencies), "cudaStreamUpdateCaptureDependencies", what, &log);
#else
    check(cudaStreamUpdateCaptureDependencies(stream, last, work.last_count(), cudaStreamSetCaptureDependencies), "cudaStreamUpdateCaptureDependencies", what, &log);
#endif
    work.stay();
}

// Adds the work of an executable, as it is bound now, to a graph after some of its nodes. Its memory belongs to both
// from now on.
// Outlives: an executable that its owner may keep as long as the graph.
inline void add_work(const graph_state& s, joined_work& work, heap_object&& more, bool outlives = false) {
    if (s.is_half_changed) throw error({"launch"}, "The graph is half changed: an update failed, and so did its undoing. Update it again, or instantiate it again.");
    if (graphs_own_memory || !outlives) work.own({s.kept, s.shared, static_cast<heap_object&&>(more)});
    work.begin(s.begin);
    work.add(s.kernels, s.merged, s.nothing, s.nothing_programmatic, &s.switches);
}
inline void join_capture(const graph_state& s, cudaStream_t stream, place what, heap_object&& more, bool outlives = false) {
    free_memory_of_graphs();
    const device_scope on(s.device, what);
    driver_log log;
    const capture_place at(stream, what, log);
    joined_work work(s.f, at.graph, at.front, at.front_count, &stream, what, log);
    add_work(s, work, static_cast<heap_object&&>(more), outlives);
    go_on_behind(work, stream, what, log);
}

inline bool launch_in_capture(graph_state& s, cudaStream_t stream) {
    if (!is_captured(stream, {"launch"})) return false;
    const relaxed_capture_scope allowed;
    s.f.warms_up = false;  // it did
    join_capture(s, stream, {"launch"}, {nullptr, nullptr}, true);
    return true;
}

// The parts of an expression that are made only to join.
struct graph_to_join : graph_run {
    explicit graph_to_join(graph_run&& made) : graph_run(static_cast<graph_run&&>(made)) {}
    // After the warm-ups.
    void join(cudaStream_t stream, place what, heap_object&& more) const {
        state().f.warms_up = false;
        join_capture(state(), stream, what, static_cast<heap_object&&>(more));
    }
    graph_state& joining() const { return state(); }
};

// A run on a stream as a part of its capture: its nodes as they are written, loops and branches as conditional nodes,
// in memory of the graph.
inline bool run_in_capture(frame& f, const run_to_join& run, cudaStream_t stream) {
    const place what{"run_on"};
    if (!is_captured(stream, what)) return false;
    const relaxed_capture_scope allowed;
    free_memory_of_graphs();
    driver_log log;
    check_driver(f, log);
    const heap_array<const void*> kernels(f.plan.count.codes);
    collect_kernels(run.kernels, kernels.begin());
    size_workspaces(f, kernels.begin());
    const arena_layout layout = lay_out(f);
    common_memory memory;
    if (layout.kept + layout.shared > 0) memory = common_memory(owned_memory(device_memory, layout.kept + layout.shared, largest_owned(f, layout.shared == 0), &log));
    point(f, layout, memory.get());
    const capture_place at(stream, what, log);
    joined_work work(f, at.graph, at.front, at.front_count, &stream, what, log);
    work.own({memory});
    if (layout.kept > 0) work.clear(memory.get(), layout.kept);
    work.begin(run.begin);
    work.add(kernels.begin(), {}, run.nothing, nullptr, nullptr);
    go_on_behind(work, stream, what, log);
    return true;
}

}  // namespace cograph::core
