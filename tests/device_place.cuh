// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_memory.cuh"

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace device_memory {

// Device memory that stands for the members of a test's struct: copied there at once, and back by bring_back, which throws
// where something was written beside it.
class device_place {
public:
    device_place() = default;
    device_place(const device_place&) = delete;
    device_place& operator=(const device_place&) = delete;
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
        for (const piece& p : pieces_) p.device.read(p.host);
    }

private:
    struct piece {
        void* host;
        guarded_memory device;
    };
    void* put(void* host, std::size_t bytes) {
        guarded_memory device(bytes);
        if (bytes > 0) device.write(host);
        pieces_.push_back({host, std::move(device)});
        return pieces_.back().device.data();
    }
    std::vector<piece> pieces_;
};

}  // namespace device_memory
