// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/host_closure.hpp>
#include <cograph/run/launch.cuh>

namespace cograph::core {

[[noreturn]] inline void end_program(const place& at, const char* what) {
    std::fprintf(stderr, "cograph: '%.*s' (%s:%u) threw an exception, which must not leave a function that CUDA calls: %s\n",
                 static_cast<int>(at.name.size), at.name.data, at.file, at.line, what);
    std::terminate();
}

// What CUDA calls. No exception may reach it, and none can be told to the thread that launched.
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

inline host_closure* make_closure(const frame& f, const row& r, const void* code) {
    const void* parameters[most_parameters];
    parameter_addresses(f, r, parameters);
    host_closure* const closure = reinterpret_cast<host_closure_maker>(code)(parameters);
    closure->at = place_of(f, r);
    return closure;
}

inline void run_host_work(const frame& f, const row& r, const void* code, cudaStream_t stream, driver_log& log) {
    host_closure* const closure = make_closure(f, r, code);
    const cudaError_t launched = cudaLaunchHostFunc(stream, &run_closure_once, closure);
    if (launched != cudaSuccess) closure->destroy(closure);
    check_row(launched, "cudaLaunchHostFunc", f, r, &log);
}

// The graph owns the closure, and so does whatever is instantiated from it, until its last launch is over.
inline void describe_host_work(const frame& f, const row& r, const void* code, cudaGraph_t graph, cudaGraphNodeParams& params, driver_log& log) {
    host_closure* const closure = make_closure(f, r, code);
    cudaUserObject_t object = nullptr;
    const cudaError_t created = cudaUserObjectCreate(&object, closure, &destroy_closure, 1, cudaUserObjectNoDestructorSync);
    if (created != cudaSuccess) closure->destroy(closure);
    check_row(created, "cudaUserObjectCreate", f, r, &log);
    const cudaError_t retained = cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove);
    if (retained != cudaSuccess) cudaUserObjectRelease(object, 1);
    check_row(retained, "cudaGraphRetainUserObject", f, r, &log);
    params.type = cudaGraphNodeTypeHost;
    params.host.fn = &run_closure;
    params.host.userData = closure;
}

// The event of a record or a wait.
inline cudaEvent_t event_of(const frame& f, const row& r) {
    return *static_cast<const cudaEvent_t*>(parameter_address(f, f.plan.arguments[r.first_argument]));
}

}  // namespace cograph::core
