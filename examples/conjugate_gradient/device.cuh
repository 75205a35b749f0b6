// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "csr.hpp"

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sparse {

inline void check(cudaError_t result, const char* what) {
    if (result != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(result));
}

/// Device memory with an owner.
template <class T>
class device_array {
public:
    explicit device_array(std::size_t count) : count_(count) {
        check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
    }
    explicit device_array(const std::vector<T>& host) : device_array(host.size()) {
        check(cudaMemcpy(data_, host.data(), count_ * sizeof(T), cudaMemcpyHostToDevice),
              "cudaMemcpy to the device");
    }
    device_array(device_array&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
    device_array& operator=(device_array&&) = delete;
    ~device_array() { cudaFree(data_); }

    T* data() const { return data_; }
    std::size_t size() const { return count_; }
    std::span<T> span() const { return {data_, count_}; }

    void set_to_zero() {
        check(cudaMemset(data_, 0, count_ * sizeof(T)), "cudaMemset");
        check(cudaDeviceSynchronize(), "cudaMemset");
    }

    std::vector<T> to_host() const {
        std::vector<T> host(count_);
        check(cudaMemcpy(host.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost),
              "cudaMemcpy to the host");
        return host;
    }

private:
    T* data_ = nullptr;
    std::size_t count_;
};

class device_csr {
public:
    explicit device_csr(const csr_matrix& A)
        : rows_(A.rows), row_begin_(A.row_begin), column_(A.column), value_(A.value) {}

    csr_view view() const { return {rows_, row_begin_.data(), column_.data(), value_.data()}; }

private:
    int rows_;
    device_array<int> row_begin_;
    device_array<int> column_;
    device_array<double> value_;
};

/// A stream that waits for the copies above.
class stream {
public:
    stream() { check(cudaStreamCreate(&stream_), "cudaStreamCreate"); }
    stream(stream&&) = delete;
    ~stream() { cudaStreamDestroy(stream_); }

    operator cudaStream_t() const { return stream_; }
    void wait() const { check(cudaStreamSynchronize(stream_), "the stream's work"); }

private:
    cudaStream_t stream_ = nullptr;
};

}  // namespace sparse
