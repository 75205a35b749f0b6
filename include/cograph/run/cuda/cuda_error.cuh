// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>

#include <cuda_runtime_api.h>

#if CUDART_VERSION < 12080
#error "cograph needs CUDA 12.8 or later: ELSE and SWITCH are not in older toolkits"
#include <cograph/needs/a/later/toolkit>
#endif

namespace cograph::core {

// A CUDA call that failed: error with the call, the code and the driver's log line about it.
class cuda_error : public error {
public:
    cuda_error(place at, const char* call, cudaError_t code, name_view log = {}) : error(at, sentence(call, code).text, log), code_(code) {}
    cudaError_t code() const noexcept { return code_; }

private:
    struct line {
        char text[512];
    };
    static line sentence(const char* call, cudaError_t code) {
        line l;
        std::snprintf(l.text, sizeof l.text, "%s failed: %s: %s.", call, cudaGetErrorName(code), cudaGetErrorString(code));
        return l;
    }
    cudaError_t code_;
};

// For a driver_log: to start when its start() is called.
struct later_t {};
inline constexpr later_t later{};

#if CUDART_VERSION >= 12090
// The driver's log since this was made, or told to start: the reasons that error codes leave out.
class driver_log {
public:
    driver_log() { start(); }
    explicit driver_log(later_t) {}

    void start() {
        if (usable_) return;
        usable_ = cudaLogsCurrent(&since_, 0) == cudaSuccess;
        if (!usable_) cudaGetLastError();  // an older driver has no log: not an error of the next call
    }

    // The last line and the first, without their ends; they live as long as this, and until the next call.
    name_view last_line() {
        std::size_t size = read();
        std::size_t begin = size;
        while (begin > 0 && text_[begin - 1] != '\n') --begin;
        return {text_ + begin, size - begin};
    }
    name_view first_line() {
        const std::size_t size = read();
        std::size_t end = 0;
        while (end < size && text_[end] != '\n') ++end;
        return {text_, end};
    }

private:
    std::size_t read() {
        std::size_t size = sizeof text_;
        if (!usable_) return 0;
        if (cudaLogsDumpToMemory(&since_, text_, &size, 0) != cudaSuccess) {
            cudaGetLastError();
            return 0;
        }
        while (size > 0 && (text_[size - 1] == '\0' || text_[size - 1] == '\n')) --size;
        return size;
    }

    cudaLogIterator since_{};
    bool usable_ = false;
    char text_[4096];
};
#else
// Toolkits before 12.9 cannot read the driver's log.
struct driver_log {
    driver_log() = default;
    explicit driver_log(later_t) {}
    void start() {}
    name_view last_line() const { return {}; }
    name_view first_line() const { return {}; }
};
#endif

[[noreturn]] inline void fail(cudaError_t code, const char* call, place at, driver_log* log) {
    cudaGetLastError();  // clears the error for the next call
    throw cuda_error(at, call, code, log ? log->last_line() : name_view{});
}

// Throws when a call failed.
inline void check(cudaError_t code, const char* call, place at = {}, driver_log* log = nullptr) {
    if (code != cudaSuccess) fail(code, call, at, log);
}

}  // namespace cograph::core
