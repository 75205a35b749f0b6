// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/check.hpp>
#include <cograph/run/launch/launch_config.cuh>

#include <cstdint>
#include <cstdio>

namespace cograph::core {

// Checks of a run that only the machine can answer, before anything is allocated or launched. One call for each bound
// pointer, and further ones only for the needs of a plan.

// The current device: there is a GPU, and the driver is not older than the runtime that this program was built with.
inline int check_gpu(driver_log* log = nullptr) {
    int device = 0;
    const cudaError_t code = cudaGetDevice(&device);
    if (code == cudaSuccess) return device;
    char more[200] = "";
    if (code == cudaErrorInsufficientDriver) {
        int driver = 0, runtime = 0;
        cudaDriverGetVersion(&driver);
        cudaRuntimeGetVersion(&runtime);
        std::snprintf(more, sizeof more, driver == 0 ? "There is no driver, and this program needs one for CUDA %d.%d. simulate needs none."
                                                     : "This program needs a driver for CUDA %d.%d, and the driver here is for CUDA %d.%d.",
                      runtime / 1000, runtime % 1000 / 10, driver / 1000, driver % 1000 / 10);
    } else if (code == cudaErrorNoDevice) {
        std::snprintf(more, sizeof more, "simulate runs the same expression without a GPU.");
    }
    cudaGetLastError();
    throw cuda_error({}, "cudaGetDevice", code, more[0] || !log ? name_view(more) : log->last_line());
}

// The oldest driver that supports a node, as cudaDriverGetVersion returns it: loops and branches came with CUDA 12.3,
// the second body, the switch and bodies without nodes with 12.8.
inline int driver_needed(const plan_view& p, const plan_node& r) {
    if (r.kind != plan_node_kind::conditional) return 0;
    if (r.control == spec_kind::switch_on || r.region_count > 1) return 12080;
    return p.regions[r.first_region].first_node < 0 ? 12080 : 12030;
}
inline void check_driver(const frame& f, driver_log& log) {
    int driver = 0;
    for (int i = 0; i < f.plan.count.nodes; ++i) {
        const plan_node& r = f.plan.nodes[i];
        const int needed = driver_needed(f.plan, r);
        if (needed == 0) continue;
        if (driver == 0) check_node_call(cudaDriverGetVersion(&driver), "cudaDriverGetVersion", f, r, &log);
        if (driver < needed)
            refuse(place_of(f, r), "needs a driver for CUDA %d.%d, and the driver here is for CUDA %d.%d", needed / 1000, needed % 1000 / 10,
                   driver / 1000, driver % 1000 / 10);
    }
}

// Memory that the current device reaches at the address that is bound.
inline void check_reachable(const variable_info& v, const void* pointer, driver_log& log) {
    cudaPointerAttributes found{};
    check(cudaPointerGetAttributes(&found, pointer), "cudaPointerGetAttributes", place_of(v), &log);
    // Copies stop at pageable memory, too, but only when a body with one is instantiated, and then CUDA names nothing.
    if (v.kind == variable_kind::pinned) {
        if (found.type == cudaMemoryTypeHost || found.type == cudaMemoryTypeManaged) return;
        refuse(place_of(v), "is bound to memory that is not pinned: allocate it with cudaMallocHost, or register it with cudaHostRegister");
    }
    if (found.type != cudaMemoryTypeUnregistered && found.devicePointer == pointer) return;
    int device = 0, reaches = 0;
    check(cudaGetDevice(&device), "cudaGetDevice", place_of(v), &log);
    if (found.type == cudaMemoryTypeUnregistered) {
        check(cudaDeviceGetAttribute(&reaches, cudaDevAttrPageableMemoryAccess, device), "cudaDeviceGetAttribute", place_of(v), &log);
        if (!reaches)
            refuse(place_of(v), "is bound to pageable host memory, which the GPU does not reach: bind device, managed or pinned memory");
    } else if (found.devicePointer) {
        refuse(place_of(v), "is bound to %p, which the GPU reaches at %p: bind that address", pointer, found.devicePointer);
    } else if (found.type == cudaMemoryTypeDevice) {
        refuse(place_of(v), "is bound to memory of device %d, and the current device %d has no access to it: see cudaSetDevice and "
               "cudaDeviceEnablePeerAccess", found.device, device);
    } else {
        refuse(place_of(v), "is bound to host memory that device %d has no access to", device);
    }
}
// If a variable is bound to memory, then to such that nodes reach.
inline void check_address(const frame& f, int v, driver_log& log) {
    const variable_info& info = *f.plan.variables[v].info;
    const slot& s = f.slots[v];
    const bool reached = info.kind == variable_kind::buffer || info.kind == variable_kind::scalar || info.kind == variable_kind::pinned;
    if (reached && s.bound && !s.object && s.count > 0) check_reachable(info, s.pointer, log);
}
inline void check_pointers(const frame& f, driver_log& log) {
    for (int v = 0; v < f.plan.count.named; ++v) check_address(f, v, log);
}

// Blocks that wait for each other run at the same time.
inline void check_resident(const frame& f, const plan_node& r, const void* code, driver_log& log) {
    const auto [kernel, shape] = launch_of(f, r, code, &log);
    if (!shape.cooperative) return;
    int blocks = 0;
    allow_shared(f, r, kernel, shape.shared, &log);
    check_node_call(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(shape.block.x * shape.block.y * shape.block.z), shape.shared),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor", f, r, &log);
    const std::uint64_t most = static_cast<std::uint64_t>(blocks) * static_cast<unsigned>(device_attribute(f, r, cudaDevAttrMultiProcessorCount));
    const std::uint64_t wanted = std::uint64_t{shape.grid.x} * shape.grid.y * shape.grid.z;
    if (wanted > most)
        refuse(place_of(f, r), "needs %llu blocks that run at the same time, and the GPU runs %llu of them%s", static_cast<unsigned long long>(wanted),
               static_cast<unsigned long long>(most), r.from->traits->persistent ? ": instantiate it with as_nodes" : "");
}
inline void check_kernels(const frame& f, const void* const* kernels, driver_log& log) {
    for (int i = 0; i < f.plan.count.nodes; ++i) {
        const plan_node& r = f.plan.nodes[i];
        if (r.kind != plan_node_kind::work) continue;
        const shape_values& s = f.records[r.leaf].shape;
        if (r.from->traits->persistent || s.cooperative) check_resident(f, r, kernels[r.code], log);
        if (const int needed = r.from->traits->code_for; needed > 0) {
            cudaFuncAttributes found{};
            check_node_call(cudaFuncGetAttributes(&found, kernels[r.code]), "cudaFuncGetAttributes", f, r, &log);
            if (found.ptxVersion < needed)
                refuse(place_of(f, r), "needs a GPU of compute capability %d.%d and code for it, and this program's code for the GPU here is for %d.%d: compile with -arch=sm_%d", needed / 10, needed % 10,
                       found.ptxVersion / 10, found.ptxVersion % 10, needed);
        }
        if (const unsigned shared = r.from->traits->threads_of_group > 0 ? shape_of(f, r).shared : s.shared; shared > 48 * 1024) {
            const int most = device_attribute(f, r, cudaDevAttrMaxSharedMemoryPerBlockOptin);
            if (shared > static_cast<unsigned>(most))
                refuse(place_of(f, r), "asks for %u bytes of shared memory, and the GPU gives a block %d at most", shared, most);
        }
    }
}

// Gives the device.
inline int check_machine(const frame& f, const void* const* kernels, driver_log& log) {
    const int device = check_gpu(&log);
    check_pointers(f, log);
    check_kernels(f, kernels, log);
    return device;
}

// Why a call on a stream may have failed; asked only then.
[[noreturn]] inline void fail_launch(const char* call, cudaError_t code, cudaStream_t stream, place at = {"launch"}) {
    cudaGetLastError();
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const char* hint = "";
    if (cudaStreamIsCapturing(stream, &status) != cudaSuccess)
        hint = "Does the stream still exist, on the device that the work is for?";
    else if (status != cudaStreamCaptureStatusNone)
        hint = "The stream is being captured: include cograph/join/capture.cuh, and launches become a part of captures.";
    cudaGetLastError();
    throw cuda_error(at, call, code, name_view(hint));
}

// The operations on streams that are being captured; cograph/join/capture.cuh sets them. Each returns false for any
// other stream.
struct graph_state;
struct kernel_entry;
struct run_to_join {
    const kernel_entry* kernels;  // with conditions that set handles
    const void* nothing;          // of a run with loops or branches: the kernel of nodes that are left out
    begin_of_run begin = nullptr;
};
struct capture_hooks {
    bool (*launch)(graph_state&, cudaStream_t) = nullptr;
    bool (*run)(frame&, const run_to_join&, cudaStream_t) = nullptr;
};
inline capture_hooks on_captured_streams;

// A stream for work, node by node: it exists, as far as CUDA knows, and if loops and branches wait for it, it is not
// captured.
inline void check_stream(const frame& f, cudaStream_t stream, driver_log& log) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaError_t code = cudaStreamIsCapturing(stream, &status);
    if (code == cudaErrorContextIsDestroyed || code == cudaErrorInvalidResourceHandle) fail_launch("cudaStreamIsCapturing", code, stream, {});
    check(code, "cudaStreamIsCapturing", {}, &log);
    if (status == cudaStreamCaptureStatusNone) return;
    for (int i = 0; i < f.plan.count.nodes; ++i)
        if (f.plan.nodes[i].kind == plan_node_kind::conditional)
            refuse(place_of(f, f.plan.nodes[i]), "has to wait for the stream, which is being captured: include cograph/join/capture.cuh, or launch an executable");
}

}  // namespace cograph::core
