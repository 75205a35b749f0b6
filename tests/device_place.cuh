// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

// Device memory for tests, without a test framework.
namespace device_memory {

inline void must(cudaError_t code) {
    if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

// Device memory that stands for the members of a test's struct: copied there at once, and back by bring_back.
class device_place {
public:
    device_place() = default;
    device_place(const device_place&) = delete;
    device_place& operator=(const device_place&) = delete;
    ~device_place() {
        for (const piece& p : pieces_) cudaFree(p.device);
    }
    template <class T>
    std::span<T> operator()(std::vector<T>& member) {
        return {static_cast<T*>(put(member.data(), member.size() * sizeof(T))), member.size()};
    }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    T* operator()(T& member) {
        return static_cast<T*>(put(&member, sizeof member));
    }
    void bring_back() const {
        for (const piece& p : pieces_) must(cudaMemcpy(p.host, p.device, p.bytes, cudaMemcpyDeviceToHost));
    }

private:
    struct piece {
        void* host;
        void* device;
        std::size_t bytes;
    };
    void* put(void* host, std::size_t bytes) {
        void* device = nullptr;
        if (bytes == 0) return device;
        must(cudaMalloc(&device, bytes));
        pieces_.push_back({host, device, bytes});
        must(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
        return device;
    }
    std::vector<piece> pieces_;
};

}  // namespace device_memory
