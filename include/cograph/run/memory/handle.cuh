// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace cograph::core {

// Owns one CUDA object; move-only. Destroy is the call that ends its life.
template <class Handle, auto Destroy>
class owner {
public:
    owner() = default;
    explicit owner(Handle handle) : handle_(handle) {}
    owner(owner&& other) noexcept : handle_(other.handle_) { other.handle_ = {}; }
    owner& operator=(owner&& other) noexcept {
        if (this != &other) {
            reset();
            handle_ = other.handle_;
            other.handle_ = {};
        }
        return *this;
    }
    ~owner() { reset(); }

    Handle get() const { return handle_; }
    Handle release() {
        const Handle handle = handle_;
        handle_ = {};
        return handle;
    }
    Handle* put() {
        reset();
        return &handle_;
    }

private:
    void reset() {
        if (handle_) Destroy(handle_);
        handle_ = {};
    }
    Handle handle_{};
};

inline void free_device(void* memory) { cudaFree(memory); }

using graph_owner = owner<cudaGraph_t, &cudaGraphDestroy>;
using event_owner = owner<cudaEvent_t, &cudaEventDestroy>;
using stream_owner = owner<cudaStream_t, &cudaStreamDestroy>;
using exec_owner = owner<cudaGraphExec_t, &cudaGraphExecDestroy>;
using memory_owner = owner<void*, &free_device>;

}  // namespace cograph::core
