// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_memory.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace device_memory {

// Device memory that stands for the members of a test's struct: copied there at once, and back by bring_back. Each has
// guards on both sides, so that what is written beside it is found however it was run: compute-sanitizer cannot follow the
// bodies of conditional nodes. Under such a tool (tests/gpu/leave_out.hpp) there are no guards, since it sees reads, too.
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
        const std::ptrdiff_t guard = guard_bytes();
        for (const piece& p : pieces_) {
            std::vector<unsigned char> all(p.bytes + 2 * guard);
            must(cudaMemcpy(all.data(), p.device, all.size(), cudaMemcpyDeviceToHost));
            const auto behind = all.end() - guard;
            const auto is_whole = [](unsigned char byte) { return byte == untouched; };
            if (!std::all_of(all.begin(), all.begin() + guard, is_whole) || !std::all_of(behind, all.end(), is_whole))
                throw std::runtime_error("memory beside a variable was written");
            std::memcpy(p.host, all.data() + guard, p.bytes);
        }
    }

private:
    static std::ptrdiff_t guard_bytes() {
        static const bool under_tool = std::getenv("COGRAPH_TESTS_UNDER_TOOL") != nullptr;
        return under_tool ? 0 : 256;  // so that what lies between stays aligned
    }
    static constexpr unsigned char untouched = 0xa5;

    struct piece {
        void* host;
        void* device;  // begins with a guard
        std::size_t bytes;
    };
    void* put(void* host, std::size_t bytes) {
        void* device = nullptr;
        if (bytes == 0) return device;
        const std::ptrdiff_t guard = guard_bytes();
        must(cudaMalloc(&device, bytes + 2 * guard));
        pieces_.push_back({host, device, bytes});
        must(cudaMemset(device, untouched, bytes + 2 * guard));
        void* const place = static_cast<char*>(device) + guard;
        must(cudaMemcpy(place, host, bytes, cudaMemcpyHostToDevice));
        must(cudaStreamSynchronize(nullptr));  // from pageable memory, a copy may return before it has arrived
        return place;
    }
    std::vector<piece> pieces_;
};

}  // namespace device_memory
