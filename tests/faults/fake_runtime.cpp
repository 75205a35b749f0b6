// SPDX-License-Identifier: Apache-2.0
#include "fake_objects.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace fake_runtime {
namespace {

constexpr int most_noted = 4096;

struct thread_state {
    failure expected;
    int calls = 0;
    const char* names[most_noted];
    cudaError_t last = cudaSuccess;
    const char* failed = nullptr;  // for the log
    int failures = 0;
    unsigned delivered[16];
    int device = 0;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    struct {
        cudaLaunchAttribute asked[4];
        unsigned count;
    } launches[16];
    int launched = 0;
    std::size_t parameter_asked = 0;
    int first_delivered = 0, behind_delivered = 0;
};
thread_local thread_state mine;
thread_local unsigned* pinned = nullptr;  // the last memory from cudaHostAlloc
thread_local std::size_t pinned_count = 0;
std::atomic<int> capability{9};
std::atomic<int> driver{CUDART_VERSION};
std::atomic<int> resident{1};
std::atomic<pointer_kind> pointers{pointer_kind::device};
std::atomic<bool> captured{false}, invalidated{false};
std::atomic<const void*> pageable{nullptr};

std::atomic<std::size_t> spilling{0};
std::atomic<unsigned> most_without_spilling{512};
std::atomic<int> code_version{90};

// A kernel, and how many threads its launch bounds let a block have: they are the first template argument of kernels that have some, but
// for a batch the threads of a problem, of which small ones share a block. A loop's kernel without barriers has no such argument, and small blocks.
struct known_kernel {
    const void* function;
    unsigned most_threads;
};
known_kernel kernels[4096];
std::atomic<bool> has_large_clusters[4096];  // by kernel
std::atomic<int> shared_bytes[4096];         // the same: how many a launch may ask for, where that was said
std::atomic<bool> sets_shared_bytes{false};
int kernel_count = 0;

unsigned most_threads_of(const char* mangled) {
    if (std::strstr(mangled, "14sending_kernelI")) return 512;
    constexpr char before[] = "_kernelILi";
    const char* const found = std::strstr(mangled, before);
    const unsigned first = found ? static_cast<unsigned>(std::atoi(found + sizeof before - 1)) : 1024;
    if (std::strstr(mangled, "batch_kernelILi")) return first == 1 ? 32 : first == 32 ? 128 : first;
    return first;
}
const known_kernel* find_kernel(const void* function) {
    for (int k = 0; k < kernel_count; ++k)
        if (kernels[k].function == function) return &kernels[k];
    return nullptr;
}

}  // namespace

live_objects live() {
    const auto read = [](const std::atomic<long>& from) { return from.load(std::memory_order_relaxed); };
    return {read(count.memory), read(count.pinned), read(count.streams),     read(count.events),   read(count.pools),
            read(count.graphs), read(count.executables), read(count.captures), read(count.user_objects)};
}
void expect(failure which) {
    mine.expected = which;
    mine.calls = 0;
    mine.failed = nullptr;
    mine.failures = 0;
    mine.launched = 0;
    with_priorities = 0;
    mine.mode = cudaStreamCaptureModeGlobal;
    if (!sets_shared_bytes.exchange(false, std::memory_order_relaxed)) return;
    for (std::atomic<int>& bytes : shared_bytes) bytes.store(0, std::memory_order_relaxed);
}
int calls() { return mine.calls; }
std::size_t last_parameter_asked() { return mine.parameter_asked; }
const char* name_of_call(int number) { return number < most_noted && number < mine.calls ? mine.names[number] : ""; }
void deliver(std::initializer_list<unsigned> values) {
    mine.first_delivered = mine.behind_delivered = 0;
    for (const unsigned value : values)
        if (mine.behind_delivered < 16) mine.delivered[mine.behind_delivered++] = value;
}
void set_capability(int major) { capability.store(major, std::memory_order_relaxed); }
void set_driver(int version) { driver.store(version, std::memory_order_relaxed); }
void set_resident_blocks(int blocks) { resident.store(blocks, std::memory_order_relaxed); }
void set_pointers(pointer_kind kind) { pointers.store(kind, std::memory_order_relaxed); }
void set_code_version(int version) { code_version.store(version, std::memory_order_relaxed); }
void set_spilling(std::size_t bytes, unsigned threads) {
    spilling.store(bytes, std::memory_order_relaxed);
    most_without_spilling.store(threads, std::memory_order_relaxed);
}
void fill_pinned(unsigned value) { std::fill_n(pinned, pinned_count, value); }
void set_pageable(const void* memory) { pageable.store(memory, std::memory_order_relaxed); }
const cudaLaunchAttributeValue* asked_of_launch(int number, cudaLaunchAttributeID what) {
    if (number >= mine.launched) return nullptr;
    for (unsigned a = 0; a < mine.launches[number].count; ++a)
        if (mine.launches[number].asked[a].id == what) return &mine.launches[number].asked[a].val;
    return nullptr;
}
void set_invalidated(bool is) { invalidated.store(is, std::memory_order_relaxed); }
void set_captured(bool is) { captured.store(is, std::memory_order_relaxed); }

cudaError_t answer(cudaError_t code) {
    if (code != cudaSuccess) mine.last = code;
    return code;
}
cudaError_t enter(const char* call) {
    const int number = mine.calls++;
    if (number < most_noted) mine.names[number] = call;
    const failure& f = mine.expected;
    const bool fails_again = number > f.first && (f.after_all || (f.twice && mine.failures == 1 && std::strcmp(call, mine.failed) == 0));
    if (f.first < 0 || (number != f.first && !fails_again)) return cudaSuccess;
    mine.failed = call;
    ++mine.failures;
    return answer(f.code);
}

bool is_kernel(const void* function) { return find_kernel(function) != nullptr; }
bool fits_a_launch(const void* function, dim3 grid, dim3 block) {
    const unsigned long long threads = 1ull * block.x * block.y * block.z;
    return threads >= 1 && threads <= find_kernel(function)->most_threads && grid.x >= 1 && grid.x <= 0x7fffffff && grid.y >= 1 && grid.y <= 65535 && grid.z >= 1 &&
           grid.z <= 65535;
}
// More than eight blocks must have been asked for.
bool fits_a_cluster(const void* function, unsigned blocks) {
    return blocks <= 8 || (blocks <= 16 && has_large_clusters[find_kernel(function) - kernels].load(std::memory_order_relaxed));
}
int most_shared(const void* function) { return std::max(48 * 1024, shared_bytes[find_kernel(function) - kernels].load(std::memory_order_relaxed)); }
// cudaDevAttrMaxPitch bounds pitches; one row needs none.
bool fits_a_copy(const cudaMemcpy3DParms& params) {
    const auto fits = [&](std::size_t pitch) {
        const bool is_row = params.extent.height == 1 && params.extent.depth == 1;
        return pitch <= 0x7fffffff && (pitch >= params.extent.width || (is_row && pitch == 0));
    };
    return fits(params.srcPtr.pitch) && fits(params.dstPtr.pitch);
}

namespace {

void* allocate(std::size_t bytes, std::atomic<long>& of) {
    if (bytes >= std::size_t{1} << 40) return nullptr;
    void* const memory = std::malloc(bytes + (bytes == 0));
    if (memory) add(of, 1);
    return memory;
}
cudaError_t put_memory(void** to, std::size_t bytes, std::atomic<long>& of) {
    *to = allocate(bytes, of);
    return answer(*to ? cudaSuccess : cudaErrorMemoryAllocation);
}
void release(void* memory, std::atomic<long>& of) {
    if (memory) add(of, -1);
    std::free(memory);
}

bool is_named(cudaStream_t stream) { return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread; }
void expect_stream(cudaStream_t stream, const char* call) {
    if (!is_named(stream)) expect_alive(stream, call);
}
thread_local cudaStream_t pushed;  // of a launch as <<<>>>
// What may wait for a device is forbidden while this thread captures, but in relaxed mode, and to all threads while one captures in global
// mode; a thread may say that it knows what it does.
cudaError_t ask_beside_captures() {
    if (mine.mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
    if (capturing && capturing->strict)
        capturing->invalid = true;
    else if (global_captures.load(std::memory_order_relaxed) == 0)
        return cudaSuccess;
    return answer(cudaErrorStreamCaptureUnsupported);
}
// A launch on the default stream ends a capture on a stream that it waits for.
cudaError_t launch_beside_capture(cudaStream_t stream) {
    if (!capturing || !capturing->blocks || (stream && stream != cudaStreamLegacy)) return cudaSuccess;
    capturing->invalid = true;
    return answer(cudaErrorStreamCaptureImplicit);
}
cudaError_t put_stream(cudaStream_t* to, bool blocks) {
    *to = make<CUstream_st>();
    (*to)->blocks = blocks;
    add(fake_runtime::count.streams, 1);
    return cudaSuccess;
}
char memory_of_captures[1 << 10];  // each byte stands for what a graph would allocate
thread_local std::size_t next_of_captures = 0;

void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    const bool to_host = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDefault;
    if (to_host && bytes == sizeof(unsigned) && mine.first_delivered < mine.behind_delivered)
        std::memcpy(to, &mine.delivered[mine.first_delivered++], bytes);
    else if (bytes > 0)
        std::memmove(to, from, bytes);
}

}  // namespace

CUgraph_st* captured_by(cudaStream_t stream) { return is_named(stream) ? nullptr : stream->captured; }

}  // namespace fake_runtime

using namespace fake_runtime;

#define ENTER() \
    if (const cudaError_t refused = enter(__func__); refused != cudaSuccess) return refused

extern "C" {

// What nvcc's host code calls to make its kernels known, and to launch them.
// NOLINTBEGIN(clang-diagnostic-reserved-identifier)
void** __cudaRegisterFatBinary(void*) {
    static void* handle;
    return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
void __cudaRegisterFunction(void**, const char* function, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*, int*) {
    if (kernel_count == 4096) stop("__cudaRegisterFunction", "too many kernels");
    kernels[kernel_count++] = {function, most_threads_of(name)};
}
unsigned __cudaPushCallConfiguration(dim3, dim3, std::size_t, CUstream_st* stream) {
    pushed = stream;
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, std::size_t*, void* stream) {
    *static_cast<cudaStream_t*>(stream) = pushed;
    return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void*) {
    *kernel = nullptr;
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t stream) {
    const cudaError_t refused = enter("<<<>>>");
    return refused == cudaSuccess ? launch_beside_capture(stream) : refused;
}
// NOLINTEND(clang-diagnostic-reserved-identifier)

// Errors.
cudaError_t cudaGetLastError() {
    const cudaError_t last = mine.last;
    mine.last = cudaSuccess;
    return last;
}
cudaError_t cudaPeekAtLastError() { return mine.last; }
const char* cudaGetErrorName(cudaError_t code) { return code == cudaSuccess ? "cudaSuccess" : "cudaErrorOfTest"; }
const char* cudaGetErrorString(cudaError_t code) { return code == cudaSuccess ? "no error" : "as the test asked"; }
#if CUDART_VERSION >= 12090
cudaError_t cudaLogsCurrent(cudaLogIterator* iterator, unsigned) {
    ENTER();
    *iterator = 1;
    return cudaSuccess;
}
cudaError_t cudaLogsDumpToMemory(cudaLogIterator*, char* buffer, std::size_t* size, unsigned) {
    const char* const failed = mine.failed;
    ENTER();
    *size = static_cast<std::size_t>(std::snprintf(buffer, *size, "[fake] first line\n[fake] refused %s\n", failed ? failed : "nothing")) + 1;
    return cudaSuccess;
}
#endif

// The device.
cudaError_t cudaGetDeviceCount(int* to) {
    ENTER();
    *to = 2;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* to) {
    ENTER();
    *to = mine.device;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    ENTER();
    if (device < 0 || device > 1) return answer(cudaErrorInvalidDevice);
    mine.device = device;
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
    ENTER();
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* to, cudaDeviceAttr attribute, int) {
    ENTER();
    switch (attribute) {
        case cudaDevAttrComputeCapabilityMajor: *to = capability.load(std::memory_order_relaxed); break;
        case cudaDevAttrMultiProcessorCount: *to = 132; break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *to = 227 * 1024; break;
        case cudaDevAttrMaxThreadsPerBlock: *to = 1024; break;
        case cudaDevAttrPageableMemoryAccess: *to = 0; break;
        default: *to = 1; break;
    }
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* to) {
    ENTER();
    *to = driver.load(std::memory_order_relaxed);
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* to, const void* pointer) {
    ENTER();
    const bool is_pageable = pageable.load(std::memory_order_relaxed) == pointer;
    const pointer_kind kind = is_pageable ? pointer_kind::pageable : pointers.load(std::memory_order_relaxed);
    *to = {};
    // What the test can read itself is managed.
    const bool is_managed = kind == pointer_kind::device && reinterpret_cast<std::uintptr_t>(pointer) < std::uintptr_t{1} << 52;
    to->type = kind == pointer_kind::pageable ? cudaMemoryTypeUnregistered
               : kind == pointer_kind::pinned ? cudaMemoryTypeHost
               : is_managed                   ? cudaMemoryTypeManaged
                                              : cudaMemoryTypeDevice;
    to->device = kind == pointer_kind::other_device ? 1 : 0;
    to->hostPointer = const_cast<void*>(pointer);
    to->devicePointer = kind == pointer_kind::other_device || kind == pointer_kind::pageable ? nullptr : const_cast<void*>(pointer);
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* to) {
    ENTER();
    expect_stream(stream, __func__);
    const bool is_captured = captured.load(std::memory_order_relaxed) || captured_by(stream);
    *to = invalidated.load(std::memory_order_relaxed) ? cudaStreamCaptureStatusInvalidated : is_captured ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* to, const void* function, int, size_t) {
    ENTER();
    if (!is_kernel(function)) return answer(cudaErrorInvalidResourceHandle);
    *to = resident.load(std::memory_order_relaxed);
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* to) {
    ENTER();
    *to = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
    ENTER();
    if (!is_kernel(function)) return answer(cudaErrorInvalidDeviceFunction);
    if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed)
        has_large_clusters[find_kernel(function) - kernels].store(value != 0, std::memory_order_relaxed);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value > 227 * 1024) return answer(cudaErrorInvalidValue);
    shared_bytes[find_kernel(function) - kernels].store(value, std::memory_order_relaxed);
    sets_shared_bytes.store(true, std::memory_order_relaxed);
    return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
    ENTER();
    *attributes = {};
    const known_kernel* const kernel = find_kernel(function);
    if (!kernel) return answer(cudaErrorInvalidDeviceFunction);
    attributes->maxThreadsPerBlock = static_cast<int>(kernel->most_threads);
    attributes->ptxVersion = attributes->binaryVersion = code_version.load(std::memory_order_relaxed);
    attributes->maxDynamicSharedSizeBytes = most_shared(function);
    if (kernel->most_threads > most_without_spilling.load(std::memory_order_relaxed)) attributes->localSizeBytes = spilling.load(std::memory_order_relaxed);
    return cudaSuccess;
}
cudaError_t cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset, std::size_t* size) {
    ENTER();
    if (!is_kernel(function)) return answer(cudaErrorInvalidDeviceFunction);
    mine.parameter_asked = index;
    *offset = 8 * index;
    *size = 8;
    return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void**, std::size_t shared, cudaStream_t stream) {
    ENTER();
    expect_stream(stream, __func__);
    if (!is_kernel(function)) return answer(cudaErrorInvalidDeviceFunction);
    if (shared > static_cast<std::size_t>(most_shared(function))) return answer(cudaErrorInvalidValue);
    if (!fits_a_launch(function, grid, block)) return answer(cudaErrorInvalidConfiguration);
    if (const cudaError_t code = launch_beside_capture(stream); code != cudaSuccess) return code;
    if (CUgraph_st* const graph = captured_by(stream)) capture_kernel(graph, function);
    return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void**) {
    ENTER();
    expect_stream(config->stream, __func__);
    if (!is_kernel(function)) return answer(cudaErrorInvalidDeviceFunction);
    if (!fits_a_launch(function, config->gridDim, config->blockDim)) return answer(cudaErrorInvalidConfiguration);
    if (const cudaError_t code = launch_beside_capture(config->stream); code != cudaSuccess) return code;
    if (CUgraph_st* const graph = captured_by(config->stream)) capture_kernel(graph, function);
    if (mine.launched < 16 && config->numAttrs <= 4) {
        auto& launch = mine.launches[mine.launched++];
        launch.count = config->numAttrs;
        std::memcpy(launch.asked, config->attrs, config->numAttrs * sizeof *config->attrs);
    }
    return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    ENTER();
    expect_stream(stream, __func__);
    if (CUgraph_st* const graph = captured_by(stream))
        capture_host_function(graph, function, data);
    else
        function(data);
    return cudaSuccess;
}

// Memory.
cudaError_t cudaMalloc(void** to, std::size_t bytes) {
    ENTER();
    if (const cudaError_t refused = ask_beside_captures(); refused != cudaSuccess) return refused;
    return put_memory(to, bytes, fake_runtime::count.memory);
}
cudaError_t cudaMallocAsync(void** to, std::size_t bytes, cudaStream_t stream) {
    ENTER();
    expect_stream(stream, __func__);
    if (CUgraph_st* const graph = captured_by(stream)) {
        *to = &memory_of_captures[next_of_captures++ % sizeof memory_of_captures];
        capture_memory(graph, cudaGraphNodeTypeMemAlloc, *to);
        return cudaSuccess;
    }
    return put_memory(to, bytes, fake_runtime::count.memory);
}
cudaError_t cudaMallocHost(void** to, std::size_t bytes) {
    ENTER();
    return put_memory(to, bytes, fake_runtime::count.pinned);
}
cudaError_t cudaHostAlloc(void** to, std::size_t bytes, unsigned) {
    ENTER();
    const cudaError_t code = put_memory(to, bytes, fake_runtime::count.pinned);
    if (code != cudaSuccess) return code;
    std::memset(*to, 0, bytes);
    fake_runtime::pinned = static_cast<unsigned*>(*to);
    fake_runtime::pinned_count = bytes / sizeof(unsigned);
    return code;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* all) {
    ENTER();
    *free = *all = std::size_t{1} << 37;
    return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
    const cudaError_t code = enter(__func__);
    if (const cudaError_t refused = ask_beside_captures(); refused != cudaSuccess) return refused;
    release(memory, fake_runtime::count.memory);
    return code;
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
    const cudaError_t code = enter(__func__);
    expect_stream(stream, __func__);
    if (CUgraph_st* const graph = captured_by(stream))
        capture_memory(graph, cudaGraphNodeTypeMemFree, memory);
    else
        release(memory, fake_runtime::count.memory);
    return code;
}
cudaError_t cudaFreeHost(void* memory) {
    const cudaError_t code = enter(__func__);
    release(memory, fake_runtime::count.pinned);
    return code;
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
    ENTER();
    std::memset(to, value, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
    ENTER();
    expect_stream(stream, __func__);
    if (CUgraph_st* const graph = captured_by(stream))
        capture_node(graph, cudaGraphNodeTypeMemset);
    else
        std::memset(to, value, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    ENTER();
    copy(to, from, bytes, kind);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    ENTER();
    expect_stream(stream, __func__);
    if (CUgraph_st* const graph = captured_by(stream))
        capture_node(graph, cudaGraphNodeTypeMemcpy, to, const_cast<void*>(from));
    else
        copy(to, from, bytes, kind);
    return cudaSuccess;
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* params, cudaStream_t stream) {
    ENTER();
    expect_stream(stream, __func__);
    if (!fits_a_copy(*params)) return answer(cudaErrorInvalidValue);
    if (CUgraph_st* const graph = captured_by(stream)) {
        capture_node(graph, cudaGraphNodeTypeMemcpy, params->dstPtr.ptr, params->srcPtr.ptr);
        return cudaSuccess;
    }
    const auto row_of = [](const cudaPitchedPtr& p, std::size_t slice, std::size_t row) {
        return static_cast<char*>(p.ptr) + (slice * p.ysize + row) * p.pitch;
    };
    for (std::size_t slice = 0; slice < params->extent.depth; ++slice)
        for (std::size_t row = 0; row < params->extent.height; ++row)
            std::memmove(row_of(params->dstPtr, slice, row), row_of(params->srcPtr, slice, row), params->extent.width);
    return cudaSuccess;
}

// Streams and events.
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* to, unsigned flags) {
    ENTER();
    return put_stream(to, flags == cudaStreamDefault);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* to, unsigned flags, int) {
    ENTER();
    return put_stream(to, flags == cudaStreamDefault);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    ENTER();
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t* to) {
    ENTER();
    return put_stream(to, true);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    const cudaError_t code = enter(__func__);
    unmake(stream, __func__);
    add(fake_runtime::count.streams, -1);
    return code;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    ENTER();
    expect_stream(stream, __func__);
    if (!captured_by(stream)) return cudaSuccess;
    stream->invalid = true;
    return answer(cudaErrorStreamCaptureUnsupported);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    ENTER();
    expect_stream(stream, __func__);
    return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    ENTER();
    expect_stream(stream, __func__);
    expect_alive(event, __func__);
    if (CUgraph_st* const graph = captured_by(stream); graph && flags == cudaEventWaitExternal) capture_node(graph, cudaGraphNodeTypeWaitEvent);
    return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* to, unsigned) {
    ENTER();
    *to = make<CUevent_st>();
    add(fake_runtime::count.events, 1);
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* to) {
    ENTER();
    *to = make<CUevent_st>();
    add(fake_runtime::count.events, 1);
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const cudaError_t code = enter(__func__);
    unmake(event, __func__);
    add(fake_runtime::count.events, -1);
    return code;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    ENTER();
    expect_alive(event, __func__);
    expect_stream(stream, __func__);
    return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    ENTER();
    expect_alive(event, __func__);
    expect_stream(stream, __func__);
    if (CUgraph_st* const graph = captured_by(stream); graph && flags == cudaEventRecordExternal) capture_node(graph, cudaGraphNodeTypeEventRecord);
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    ENTER();
    expect_alive(event, __func__);
    return ask_beside_captures();
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    ENTER();
    expect_alive(event, __func__);
    return ask_beside_captures();
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    ENTER();
    std::swap(mine.mode, *mode);
    return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* to, cudaEvent_t from, cudaEvent_t until) {
    ENTER();
    expect_alive(from, __func__);
    expect_alive(until, __func__);
    *to = 1;
    return cudaSuccess;
}

}  // extern "C"
