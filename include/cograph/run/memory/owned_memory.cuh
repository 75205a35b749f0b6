// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/analysis/arena.hpp>
#include <cograph/run/cuda/cuda_error.cuh>
#include <cograph/run/cuda/relaxed_capture_scope.cuh>

#include <cstdint>
#include <cstdio>
#include <exception>

namespace cograph::core {

// The source of memory: two functions and their argument.
struct memory_source {
    void* (*allocate)(void* const* context, std::size_t bytes);
    void (*deallocate)(void* const* context, void* memory, std::size_t bytes);
    void* context[2] = {nullptr, nullptr};
    bool waits = true;  // deallocate does, for launches that use its memory, as cudaFree
};

// The current device's own memory.
inline void* allocate_on_device(void* const*, std::size_t bytes) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes), "cudaMalloc");
    return memory;
}
inline void free_on_device(void* const*, void* memory, std::size_t) {
    const relaxed_capture_scope allowed;
    cudaFree(memory);
}
inline constexpr memory_source device_memory{&allocate_on_device, &free_on_device};

// Owns memory of a source; move-only.
class owned_memory {
public:
    owned_memory() = default;
    owned_memory(owned_memory&& other) noexcept { take(other); }
    owned_memory& operator=(owned_memory&& other) noexcept {
        if (this == &other) return *this;
        give_back();
        take(other);
        return *this;
    }
    ~owned_memory() { give_back(); }

    // No memory for no bytes. Throws error, which names the purpose of the memory, if there is none.
    owned_memory(const memory_source& source, std::size_t bytes, place of, driver_log* log) : source_(source), bytes_(bytes) {
        if (bytes == 0) return;
        if (source.allocate == &allocate_on_device)
            check(cudaMalloc(&memory_, bytes), "cudaMalloc", of, log);
        else
            memory_ = ask(of);
    }

    void* get() const { return memory_; }
    std::size_t bytes() const { return bytes_; }

private:
    void* ask(place of) {
        void* memory = nullptr;
        try {
            memory = source_.allocate(source_.context, bytes_);
        } catch (const std::exception& e) {
            refuse(of, name_view(e.what()));
        } catch (...) {
            refuse(of, {});
        }
        if (!memory) refuse(of, {});
        if (reinterpret_cast<std::uintptr_t>(memory) % arena_alignment == 0) return memory;
        source_.deallocate(source_.context, memory, bytes_);
        throw error(of, "got memory of its allocator that is not aligned to 256 bytes.");
    }
    [[noreturn]] void refuse(place of, name_view words) const {
        char text[128];
        const char* const needed = of.name.size > 0 ? "and its neighbours in memory need %zu bytes, which the allocator did not give."
                                                    : "The allocator did not give %zu bytes.";
        std::snprintf(text, sizeof text, needed, bytes_);
        throw error(of, text, words);
    }
    void give_back() {
        if (memory_) source_.deallocate(source_.context, memory_, bytes_);
    }
    void take(owned_memory& from) {
        source_ = from.source_;
        memory_ = from.memory_;
        bytes_ = from.bytes_;
        from.memory_ = nullptr;
        from.bytes_ = 0;
    }

    memory_source source_ = device_memory;
    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace cograph::core
