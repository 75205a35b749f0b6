// SPDX-License-Identifier: Apache-2.0
#pragma once

// What lets an example run on a GPU where there is one, and on the host elsewhere.

#ifdef __CUDACC__
#include <cograph.cuh>
#include <cuda_runtime.h>
#else
#include <cograph.hpp>
#endif

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <type_traits>

namespace anywhere {

/// Whether this was built with CUDA and finds a GPU.
inline bool has_gpu() {
#ifdef __CUDACC__
    static const bool found = [] {
        int count = 0;
        return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
    }();
    return found;
#else
    return false;
#endif
}

/// For programs that take no arguments: those that are given would change nothing.
inline void take_no_arguments(int argc) {
    if (argc > 1) throw std::runtime_error("takes no arguments");
}

inline const char* way_to_run() { return has_gpu() ? "CUDA graph" : "simulation"; }

#ifdef __CUDACC__
inline void succeed(cudaError_t result) {
    if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}
#endif

/// Frees an array of the GPU, or of the host where there is none.
struct release {
    template <class T>
    void operator()(T* memory) const {
#ifdef __CUDACC__
        if (has_gpu()) {
            cudaFree(memory);
            return;
        }
#endif
        delete[] memory;
    }
};

/// An array of zeros that the host and the GPU both reach.
template <class T>
class array {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    explicit array(std::size_t count) : count_(count), data_(allocate(count)) {}

    T* data() const { return data_.get(); }
    std::size_t size() const { return count_; }
    T& operator[](std::size_t i) const { return data_.get()[i]; }
    std::span<T> span() const { return {data(), count_}; }

private:
    static T* allocate(std::size_t count) {
#ifdef __CUDACC__
        if (has_gpu()) {
            T* memory = nullptr;
            succeed(cudaMallocManaged(&memory, count * sizeof(T)));
            for (std::size_t i = 0; i < count; ++i) memory[i] = T{};
            return memory;
        }
#endif
        return new T[count]();
    }

    std::size_t count_;
    std::unique_ptr<T[], release> data_;
};

/// Runs an expression once, to its end.
template <class E, class... B>
void run(const E& e, B... bindings) {
#ifdef __CUDACC__
    if (has_gpu()) {
        auto graph = cograph::instantiate(e, bindings...);
        graph.launch(nullptr);
        succeed(cudaDeviceSynchronize());
        return;
    }
#endif
    cograph::simulate(e, bindings...);
}

}  // namespace anywhere
