// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/libraries/library_call.hpp>
#include <cograph/run/cuda/cuda_error.cuh>

#include <cstddef>
#include <cstdio>
#include <map>
#include <mutex>

namespace cograph::core {

// A library's message about a call, as an error; the error around it has the node's name.
[[noreturn]] inline void refuse_library_call(const char* call, const char* status, const char* words) {
    char text[320];
    std::snprintf(text, sizeof text, "%s: %s%s%s.", call, status, words ? ": " : "", words ? words : "");
    throw error({}, text);
}
inline void must_succeed(cudaError_t code, const char* call) {
    if (code != cudaSuccess) refuse_library_call(call, cudaGetErrorName(code), cudaGetErrorString(code));
}

// The handles that a library makes: one for each device, made in the call that asks for a workspace, which is not captured. They are kept
// until the process ends, since graphs may use their memory. While one is used no other thread does.
template <class Library>
class handle_in_use {
public:
    using handle_type = typename Library::handle_type;
    explicit handle_in_use(handle_type users) : handle_(users) {}
    explicit handle_in_use(handle_of_the_library) {
        static store all;
        lock_ = std::unique_lock(all.guard);
        int device = 0;
        must_succeed(cudaGetDevice(&device), "cudaGetDevice");
        handle_type& kept = all.by_device[device];
        if (!kept) kept = Library::make();
        handle_ = kept;
    }
    handle_type get() const { return handle_; }

private:
    struct store {
        std::mutex guard;
        std::map<int, handle_type> by_device;
    };
    std::unique_lock<std::mutex> lock_;
    handle_type handle_ = nullptr;
};

// Factors as libraries take them: all on the host, or all on the device. Numbers beside a scalar are written to the workspace.
template <class T>
__global__ void keep_number(T* to, T number) {
    *to = number;
}
template <class... F>
inline constexpr bool any_on_device = (is_pointer<F> || ...);

template <class T, bool OnDevice>
class library_factor {
public:
    library_factor(const T* scalar, T*, cudaStream_t) : at_(scalar) {}
    template <class N>
    library_factor(N number, T* in_workspace, cudaStream_t on) : number_(static_cast<T>(number)) {
        if constexpr (OnDevice) {
            keep_number<<<1, 1, 0, on>>>(in_workspace, number_);
            at_ = in_workspace;
        }
    }
    const T* get() const { return at_ ? at_ : &number_; }

private:
    T number_{};
    const T* at_ = nullptr;
};
inline constexpr std::size_t bytes_of_factors = 256;  // before a workspace

}  // namespace cograph::core
