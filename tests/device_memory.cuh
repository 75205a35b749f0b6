// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <stdexcept>
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

// Device memory with a copy of some elements.
template <class T>
class device_array {
public:
    explicit device_array(const std::vector<T>& elements) : size_(elements.size()) {
        if (size_ == 0) return;
        must(cudaMalloc(&data_, size_ * sizeof(T)));
        write(elements);
    }
    explicit device_array(std::size_t size, T value = {}) : device_array(std::vector<T>(size, value)) {}
    ~device_array() { cudaFree(data_); }
    device_array(const device_array&) = delete;
    device_array& operator=(const device_array&) = delete;

    T* data() const { return data_; }
    std::span<T> all() const { return {data_, size_}; }
    void write(const std::vector<T>& elements) {
        must(cudaMemcpy(data_, elements.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
        must(cudaStreamSynchronize(nullptr));  // from pageable memory, a copy may return before it has arrived
    }
    std::vector<T> read() const {
        std::vector<T> elements(size_);
        if (size_ > 0) must(cudaMemcpy(elements.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return elements;
    }

private:
    T* data_ = nullptr;
    std::size_t size_;
};

}  // namespace device_memory
