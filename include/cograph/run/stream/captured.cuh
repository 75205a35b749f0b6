// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/stream_code.hpp>
#include <cograph/run/kernel/no_op_kernel.cuh>
#include <cograph/run/launch/kernel_table.cuh>
#include <cograph/run/launch/launch_config.cuh>
#include <cograph/run/launch/non_kernel_code.cuh>
#include <cograph/run/stream/capture_check.cuh>
#include <cograph/run/stream/captured_call.cuh>

namespace cograph::core {

// A capture that ends, whatever happens meanwhile.
class stream_capture {
public:
    explicit stream_capture(cudaStream_t stream) : stream_(stream) {}
    ~stream_capture() {
        if (!is_open_) return;
        graph_owner dropped;
        end(dropped);
        cudaGetLastError();  // clears the error for the next call
    }
    stream_capture(const stream_capture&) = delete;
    stream_capture& operator=(const stream_capture&) = delete;

    cudaError_t begin(cudaStreamCaptureMode mode) {
        const cudaError_t code = cudaStreamBeginCapture(stream_, mode);
        is_open_ = code == cudaSuccess;
        return code;
    }
    cudaError_t end(graph_owner& graph) {
        is_open_ = false;
        return cudaStreamEndCapture(stream_, graph.put());
    }

private:
    cudaStream_t stream_;
    bool is_open_ = false;
};

inline cudaStreamCaptureMode cuda_mode(capture_mode mode) {
    return mode == capture_mode::global   ? cudaStreamCaptureModeGlobal
           : mode == capture_mode::thread ? cudaStreamCaptureModeThreadLocal
                                          : cudaStreamCaptureModeRelaxed;
}

struct captured_entry : other_code {
    stream_function call;
    void (*nothing)();  // a kernel that does nothing
};
inline const captured_entry& captured_in(const other_code& code) { return static_cast<const captured_entry&>(code); }

// A call with an `out` argument that enqueues nothing has used another stream, which CUDA does not report. If any
// argument is empty there may be nothing to do.
inline void check_enqueued(const frame& f, const plan_node& r) {
    for (int i = 0; i < r.argument_count; ++i) {
        const argument_form form = r.from->arguments[i].form;
        const int at = f.plan.arguments[r.first_argument + i];
        const bool has_elements = form == argument_form::extent || (form == argument_form::pointer && f.plan.variables[at].info->kind != variable_kind::scalar);
        if (has_elements && f.slots[at].count == 0) return;
    }
    for (int i = r.first_access; i < r.first_access + r.access_count; ++i) {
        const access& a = f.plan.accesses[i];
        if (a.how != access_mode::write || a.variable >= f.plan.count.named || f.slots[a.variable].object) continue;
        const name_view name = f.plan.variables[a.variable].info->name.read();
        char text[256];
        std::snprintf(text, sizeof text,
                      "enqueued nothing on the stream that it was given, though it writes all of '%.*s': give that stream to all that it calls, or "
                      "mark as inout the memory that it may leave unchanged.", static_cast<int>(name.size), name.data);
        throw error(place_of(f, r), text);
    }
}

// Whether a region is in the body of a conditional node: bodies of loops that the host drives are graphs of their own.
inline bool is_in_conditional_body(const plan_view& plan, int region) {
    while (plan.regions[region].owner >= 0) {
        const plan_node& owner = plan.nodes[plan.regions[region].owner];
        if (!is_host_driven(*owner.from)) return true;
        region = owner.region;
    }
    return false;
}

// The work that a captured call enqueues with the frame's bindings, as a graph that may become a child graph at the
// node's place. In global mode the default stream waits for the captured one, so that a stray launch there fails
// instead of running once. Work of other threads on the default stream then fails too, and driver 580 may crash
// (docs/known-issues.md): in other modes it does not wait. In a body, a call that enqueues nothing becomes an empty
// kernel: the body of a loop must not be one kernel alone (see node_adder). `allocates`: it must be moved, see move_child.
inline graph_owner capture_node(const frame& f, const plan_node& r, const captured_entry& entry, bool* allocates = nullptr) {
    const place at = place_of(f, r);
    if (f.warms_up && r.from->warms_up) warm_up(f, r, entry.call);
    driver_log log;
    const capture_mode mode = r.from->capture;
    const stream_for_call stream(f, r, mode == capture_mode::global ? cudaStreamDefault : cudaStreamNonBlocking, log);
    graph_owner graph;
    {
        stream_capture capture(stream.get());
        check_node_call(capture.begin(cuda_mode(mode)), "cudaStreamBeginCapture", f, r, &log);
        call_captured(f, r, entry.call, stream.get(), nullptr);
        if (const cudaError_t ended = capture.end(graph); ended != cudaSuccess) {
            cudaGetLastError();
            throw cuda_error(at, "cudaStreamEndCapture", ended, log.first_line());
        }
    }
    const bool in_body = is_in_conditional_body(f.plan, r.region);
    captured_nodes found(in_body, at, can_move_children && !in_body && f.moves_children);
    const std::size_t count = found.check_all(graph.get());
    if (allocates) *allocates = found.allocates();
    if (count > 0) return graph;
    check_enqueued(f, r);
    if (in_body) {
        cudaGraphNode_t node = nullptr;
        const cudaKernelNodeParams params = disabled_nodes(reinterpret_cast<const void*>(entry.nothing), 0);
        check_node_call(cudaGraphAddKernelNode(&node, graph.get(), nullptr, 0, &params), "cudaGraphAddKernelNode", f, r, &log);
    }
    return graph;
}

inline void describe_captured(const frame& f, const plan_node& r, const other_code& code, cudaGraph_t, graph_owner& child, cudaGraphNodeParams& params, driver_log&) {
    bool allocates = false;
    child = capture_node(f, r, captured_in(code), &allocates);
    params.type = cudaGraphNodeTypeGraph;
    params.graph.graph = child.get();
    if (allocates) move_child(params);
}
inline void enqueue_captured(const frame& f, const plan_node& r, const other_code& code, cudaStream_t stream, driver_log&) {
    call_captured(f, r, captured_in(code).call, stream, nullptr);
}
inline void size_captured(frame& f, const plan_node& r, const other_code& code) {
    for (int i = 0; i < r.argument_count; ++i) {
        if (r.from->arguments[i].form != argument_form::workspace) continue;
        std::size_t bytes = 0;
        call_captured(f, r, captured_in(code).call, nullptr, &bytes);
        f.slots[f.plan.arguments[r.first_argument + i]].count = bytes + (bytes == 0);  // a null pointer would ask for the size again
    }
}

template <class Code>
inline constexpr captured_entry call_of_captured{{&describe_captured, &enqueue_captured, &size_captured}, &stream_code<Code>::enqueue, &do_nothing<1>};
template <class Style, class F, class Host, class... P, class Target>
inline constexpr auto kernel_of<captured_code<Style, F, Host, P...>, Target> = &call_of_captured<captured_code<Style, F, Host, P...>>;

}  // namespace cograph::core
