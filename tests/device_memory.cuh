// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

// Streams and device memory for tests, without a test framework.
namespace device_memory {

inline void must(cudaError_t code) {
    if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

// A stream that waits for no other.
class stream {
public:
    stream() { must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~stream() { cudaStreamDestroy(stream_); }
    stream(const stream&) = delete;
    stream& operator=(const stream&) = delete;
    operator cudaStream_t() const { return stream_; }
    void wait() const { must(cudaStreamSynchronize(stream_)); }

private:
    cudaStream_t stream_ = nullptr;
};

// Device memory with guards on both sides, so that what is written beside it is found however it was run: compute-sanitizer
// cannot follow the bodies of conditional nodes. Under such a tool (tests/gpu/leave_out.hpp) there are no guards, since it
// sees reads, too. Memory of no bytes is a null pointer.
class guarded_memory {
public:
    explicit guarded_memory(std::size_t bytes) : bytes_(bytes) {
        if (bytes_ == 0) return;
        const std::size_t all = bytes_ + 2 * guard_bytes();
        must(cudaMalloc(&begin_, all));
        must(cudaMemset(begin_, untouched, all));
    }
    guarded_memory(guarded_memory&& other) noexcept : begin_(std::exchange(other.begin_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    guarded_memory& operator=(guarded_memory&&) = delete;
    ~guarded_memory() { cudaFree(begin_); }

    void* data() const { return begin_ ? static_cast<char*>(begin_) + guard_bytes() : nullptr; }
    void write(const void* from) {
        must(cudaMemcpy(data(), from, bytes_, cudaMemcpyHostToDevice));
        must(cudaStreamSynchronize(nullptr));  // from pageable memory, a copy may return before it has arrived
    }
    void read(void* to) const {
        if (bytes_ > 0) must(cudaMemcpy(to, data(), bytes_, cudaMemcpyDeviceToHost));
        check();
    }
    // Throws when a guard is not what it was.
    void check() const {
        if (!begin_) return;
        std::vector<unsigned char> guard(guard_bytes());
        for (const char* side : {static_cast<const char*>(begin_), static_cast<const char*>(data()) + bytes_}) {
            must(cudaMemcpy(guard.data(), side, guard.size(), cudaMemcpyDeviceToHost));
            if (!std::all_of(guard.begin(), guard.end(), [](unsigned char byte) { return byte == untouched; }))
                throw std::runtime_error("memory beside a variable was written");
        }
    }

private:
    static std::size_t guard_bytes() {
        static const bool under_tool = std::getenv("COGRAPH_TESTS_UNDER_TOOL") != nullptr;
        return under_tool ? 0 : 256;  // so that what lies between stays aligned
    }
    static constexpr unsigned char untouched = 0xa5;

    void* begin_ = nullptr;  // of the guard in front
    std::size_t bytes_;
};

// Device memory with a copy of some elements. What was written beside it is found when it is read, and when it ends.
template <class T>
class device_array {
public:
    explicit device_array(const std::vector<T>& elements) : size_(elements.size()), memory_(size_ * sizeof(T)) {
        if (size_ > 0) write(elements);
    }
    explicit device_array(std::size_t size, T value = {}) : device_array(std::vector<T>(size, value)) {}
    // Waits for what runs, as cudaFree does.
    ~device_array() noexcept(false) {
        if (std::uncaught_exceptions() == 0 && cudaDeviceSynchronize() == cudaSuccess) memory_.check();
    }
    device_array(const device_array&) = delete;
    device_array& operator=(const device_array&) = delete;

    T* data() const { return static_cast<T*>(memory_.data()); }
    std::span<T> all() const { return {data(), size_}; }
    void write(const std::vector<T>& elements) { memory_.write(elements.data()); }
    std::vector<T> read() const {
        std::vector<T> elements(size_);
        memory_.read(elements.data());
        return elements;
    }

private:
    std::size_t size_;
    guarded_memory memory_;
};

}  // namespace device_memory
