// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/graph/graph_run.cuh>

#include <pthread.h>  // <mutex> costs nvcc a second

namespace cograph::core {

// Graphs with conditional nodes are serialized on their device, whatever their streams: if several of them run
// concurrently, launches sometimes fail (driver 580 on an H200; docs/known-issues.md). After each launch an event is
// recorded, for which the next one waits on its own stream; the host waits for neither.

// Shared libraries of one process have these in common, also those that hide their symbols.
[[gnu::visibility("default")]] inline bool graphs_overlap = false;

// Lets graphs with loops or branches that are conditional nodes run concurrently on one device, for drivers that
// support it. Without it, cograph launches them one after the other, and other graphs as CUDA does. Call it before
// the first launch.
inline void allow_concurrent_graphs(bool overlap) { graphs_overlap = overlap; }

class held_mutex {
public:
    explicit held_mutex(pthread_mutex_t& mutex) : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
    ~held_mutex() { pthread_mutex_unlock(&mutex_); }
    held_mutex(const held_mutex&) = delete;
    held_mutex& operator=(const held_mutex&) = delete;

private:
    pthread_mutex_t& mutex_;
};

// The order of launches on a device, while there are executables that need it.
struct [[gnu::visibility("default")]] device_launch_order {
    const int device;
    event_owner over{};  // the last launch
    pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
    int executables = 0;
    device_launch_order* next = nullptr;
};
[[gnu::visibility("default")]] inline device_launch_order* launch_order_of_devices = nullptr;
[[gnu::visibility("default")]] inline pthread_mutex_t guard_of_launch_order = PTHREAD_MUTEX_INITIALIZER;

// One executable's part in them.
class launch_serializer {
public:
    launch_serializer(int device, driver_log& log) {
        const held_mutex held(guard_of_launch_order);
        order_ = launch_order_of_devices;
        while (order_ && order_->device != device) order_ = order_->next;
        if (!order_) {
            event_owner over;
            check(cudaEventCreateWithFlags(over.put(), cudaEventDisableTiming), "cudaEventCreateWithFlags", {"instantiate"}, &log);
            order_ = new device_launch_order{device, static_cast<event_owner&&>(over)};
            order_->next = launch_order_of_devices;
            launch_order_of_devices = order_;
        }
        ++order_->executables;
    }
    // The event stays for others while the last launch is not over, also without executables.
    ~launch_serializer() {
        const held_mutex held(guard_of_launch_order);
        if (--order_->executables > 0) return;
        const relaxed_capture_scope allowed;
        if (cudaEventQuery(order_->over.get()) == cudaErrorNotReady) {
            cudaGetLastError();
            return;
        }
        device_launch_order** at = &launch_order_of_devices;
        while (*at != order_) at = &(*at)->next;
        *at = order_->next;
        delete order_;
    }
    launch_serializer(const launch_serializer&) = delete;
    launch_serializer& operator=(const launch_serializer&) = delete;

    void launch(graph_state& s, cudaStream_t stream) {
        const held_mutex held(order_->guard);
        if (const cudaError_t code = cudaStreamWaitEvent(stream, order_->over.get(), 0); code != cudaSuccess)
            fail_launch("cudaStreamWaitEvent", code, stream);
        launch_now(s, stream);
        record_behind_launch(order_->over.get(), stream);
    }
    // A graph without an executable.
    void launch(cudaGraphExec_t exec, cudaStream_t stream) {
        const held_mutex held(order_->guard);
        if (const cudaError_t code = graphs_overlap ? cudaSuccess : cudaStreamWaitEvent(stream, order_->over.get(), 0); code != cudaSuccess)
            fail_launch("cudaStreamWaitEvent", code, stream);
        if (const cudaError_t code = cudaGraphLaunch(exec, stream); code != cudaSuccess) fail_launch("cudaGraphLaunch", code, stream);
        record_behind_launch(order_->over.get(), stream);
    }

private:
    device_launch_order* order_;
};

inline void launch_serialized(graph_state& s, cudaStream_t stream) {
    if (graphs_overlap) return launch_now(s, stream);
    static_cast<launch_serializer*>(s.launch_order.get())->launch(s, stream);
}
inline void serialize_launches(graph_state& s, driver_log& log) {
    s.launch_order = heap_object(new launch_serializer(s.device, log), &end_object<launch_serializer>);
    s.launch = &launch_serialized;
}

}  // namespace cograph::core
