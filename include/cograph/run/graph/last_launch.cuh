// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/cuda/device_scope.cuh>
#include <cograph/run/graph/graph_state.cuh>

namespace cograph::core {

// Later operations of an executable follow its last launch on its stream. An event after the launch is used if that
// does not suffice: its stream may no longer exist, or mean another one to another thread.

inline bool is_another_in_other_threads(cudaStream_t stream) {
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
    if (!stream) return true;
#endif
    return stream == cudaStreamPerThread;
}

inline void make_event_of_launches(graph_state& s, const char* what, driver_log* log = nullptr) {
    if (!s.over.get()) check(cudaEventCreateWithFlags(s.over.put(), cudaEventDisableTiming), "cudaEventCreateWithFlags", {what}, log);
}
// From now on an event follows every launch.
inline void mark_launches(graph_state& s, driver_log* log = nullptr) {
    make_event_of_launches(s, "instantiate", log);
    s.marks_launches = true;
}

// Records an event after the work that is running. A failure could not be reported, so then the host waits for it.
inline void record_behind_launch(cudaEvent_t event, cudaStream_t stream) {
    const cudaError_t code = cudaEventRecord(event, stream);
    if (code == cudaSuccess) return;
    cudaStreamSynchronize(stream);
    check(code, "cudaEventRecord", {"launch"});
}

// A stream of this thread on which work follows the last launch.
inline cudaStream_t stream_behind_launch(const graph_state& s, place at, driver_log* log = nullptr) {
    const cudaStream_t stream = s.is_marked ? cudaStreamPerThread : s.stream;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing", at, log);
    if (status != cudaStreamCaptureStatusNone) throw error(at, "follows the last launch, and its stream is being captured: end the capture first");
    if (s.is_marked) check(cudaStreamWaitEvent(stream, s.over.get(), 0), "cudaStreamWaitEvent", at, log);
    return stream;
}

// An event after the last launch: one is recorded if there is none.
inline cudaEvent_t event_behind_launch(graph_state& s, const char* what) {
    if (s.is_marked) return s.over.get();
    const cudaStream_t stream = stream_behind_launch(s, {what});
    make_event_of_launches(s, what);
    check(cudaEventRecord(s.over.get(), stream), "cudaEventRecord", {what});
    s.is_marked = true;
    return s.over.get();
}
// Whether an event is over.
inline bool is_over(cudaEvent_t event, const char* what) {
    const relaxed_capture_scope allowed;
    const cudaError_t code = cudaEventQuery(event);
    if (code == cudaErrorNotReady) cudaGetLastError();
    else check(code, "cudaEventQuery", {what});
    return code == cudaSuccess;
}
inline void wait_until_over(cudaEvent_t event, const char* what) {
    const relaxed_capture_scope allowed;
    check(cudaEventSynchronize(event), "cudaEventSynchronize", {what});
}

}  // namespace cograph::core
