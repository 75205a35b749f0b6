// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/stream/events.hpp>
#include <cograph/host/host_closure.hpp>
#include <cograph/run/cuda/captured_graph.cuh>
#include <cograph/run/launch/kernel_table.cuh>
#include <cograph/run/launch/launch_config.cuh>
#include <cograph/run/launch/non_kernel_code.cuh>

namespace cograph::core {

[[noreturn]] inline void end_program(const place& at, const char* what) {
    std::fprintf(stderr, "cograph: '%.*s' (%s:%u) threw an exception, which must not leave a function that CUDA calls: %s\n",
                 static_cast<int>(at.name.size), at.name.data, at.file, at.line, what);
    std::terminate();
}

// The function that CUDA calls. No exception may reach it, and none can be reported to the launching thread.
inline void CUDART_CB run_closure(void* closure) {
    host_closure& work = *static_cast<host_closure*>(closure);
    try {
        work.run(work);
    } catch (const std::exception& e) {
        end_program(work.at, e.what());
    } catch (...) {
        end_program(work.at, "no std::exception");
    }
}
inline void CUDART_CB destroy_closure(void* closure) {
    host_closure* const work = static_cast<host_closure*>(closure);
    work->destroy(work);
}
inline void CUDART_CB run_closure_once(void* closure) {
    run_closure(closure);
    destroy_closure(closure);
}

struct host_entry : other_code {
    host_closure_maker make;
};
inline host_closure* make_closure(const frame& f, const plan_node& r, const other_code& code) {
    const void* parameters[most_parameters];
    parameter_addresses(f, r, parameters);
    host_closure* const closure = static_cast<const host_entry&>(code).make(parameters);
    closure->at = place_of(f, r);
    return closure;
}

// A closure that the graph owns, and whatever is instantiated from it, until its last launch is over.
inline host_closure* make_closure_of(cudaGraph_t graph, const frame& f, const plan_node& r, const other_code& code, driver_log& log) {
    host_closure* const closure = make_closure(f, r, code);
    cudaUserObject_t object = nullptr;
    const cudaError_t created = cudaUserObjectCreate(&object, closure, &destroy_closure, 1, cudaUserObjectNoDestructorSync);
    if (created != cudaSuccess) closure->destroy(closure);
    check_node_call(created, "cudaUserObjectCreate", f, r, &log);
    const cudaError_t retained = cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove);
    if (retained != cudaSuccess) cudaUserObjectRelease(object, 1);
    check_node_call(retained, "cudaGraphRetainUserObject", f, r, &log);
    return closure;
}

inline void describe_host_work(const frame& f, const plan_node& r, const other_code& code, cudaGraph_t graph, graph_owner&, cudaGraphNodeParams& params, driver_log& log) {
    params.type = cudaGraphNodeTypeHost;
    params.host.fn = &run_closure;
    params.host.userData = make_closure_of(graph, f, r, code, log);
}

// Captured work may run any number of times, or never.
inline void enqueue_host_work(const frame& f, const plan_node& r, const other_code& code, cudaStream_t stream, driver_log& log) {
    cudaGraph_t graph = nullptr;
    check_node_call(find_captured_graph(stream, graph), "cudaStreamGetCaptureInfo", f, r, &log);
    if (graph) {
        host_closure* const closure = make_closure_of(graph, f, r, code, log);
        check_node_call(cudaLaunchHostFunc(stream, &run_closure, closure), "cudaLaunchHostFunc", f, r, &log);
        return;
    }
    host_closure* const closure = make_closure(f, r, code);
    const cudaError_t launched = cudaLaunchHostFunc(stream, &run_closure_once, closure);
    if (launched != cudaSuccess) closure->destroy(closure);
    check_node_call(launched, "cudaLaunchHostFunc", f, r, &log);
}

// The event of a record or a wait.
inline cudaEvent_t event_of(const frame& f, const plan_node& r) {
    return *static_cast<const cudaEvent_t*>(parameter_address(f, r, 0));
}

inline bool is_record(const plan_node& r) { return r.from->traits == &record_event::traits; }
inline bool is_wait(const plan_node& r) { return r.from->traits == &wait_for_event::traits; }

// Records, waits and barriers are known by their traits alone.
inline void describe_event(const frame& f, const plan_node& r, const other_code&, cudaGraph_t, graph_owner&, cudaGraphNodeParams& params, driver_log&) {
    params.type = cudaGraphNodeTypeEmpty;
    if (is_record(r)) {
        params.type = cudaGraphNodeTypeEventRecord;
        params.eventRecord.event = event_of(f, r);
    } else if (is_wait(r)) {
        params.type = cudaGraphNodeTypeWaitEvent;
        params.eventWait.event = event_of(f, r);
    }
}
inline void enqueue_event(const frame& f, const plan_node& r, const other_code&, cudaStream_t stream, driver_log& log) {
    if (is_record(r)) check_node_call(cudaEventRecord(event_of(f, r), stream), "cudaEventRecord", f, r, &log);
    if (is_wait(r)) check_node_call(cudaStreamWaitEvent(stream, event_of(f, r), 0), "cudaStreamWaitEvent", f, r, &log);
}

template <class Code>
inline constexpr host_entry call_of_host_work{{&describe_host_work, &enqueue_host_work, nullptr}, &host_closure_of<Code>::make};
template <class F, class... P, class Target>
inline constexpr auto kernel_of<host_work_code<F, P...>, Target> = &call_of_host_work<host_work_code<F, P...>>;
template <class Code>
inline constexpr other_code call_of_event{&describe_event, &enqueue_event, nullptr};
template <class Target>
inline constexpr auto kernel_of<no_code, Target> = &call_of_event<no_code>;

}  // namespace cograph::core
