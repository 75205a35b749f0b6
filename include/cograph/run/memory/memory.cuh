// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/analysis/arena.hpp>
#include <cograph/run/cuda/cuda_error.cuh>
#include <cograph/run/memory/owned_memory.cuh>

#include <concepts>

namespace cograph::core {

// Types that allocate like CUDA's memory resources, newer and older ones, and those of std::pmr.
template <class R>
concept synchronous_resource = requires(R& resource, void* memory, std::size_t size) {
    { resource.allocate_sync(size, size) } -> std::convertible_to<void*>;
    resource.deallocate_sync(memory, size, size);
};
template <class R>
concept plain_resource = requires(R& resource, void* memory, std::size_t size) {
    { resource.allocate(size, size) } -> std::convertible_to<void*>;
    resource.deallocate(memory, size, size);
};

template <class R>
struct resource_calls {
    static void* allocate(void* const* context, std::size_t bytes) {
        R& resource = *static_cast<R*>(context[0]);
        if constexpr (synchronous_resource<R>)
            return resource.allocate_sync(bytes, arena_alignment);
        else
            return resource.allocate(bytes, arena_alignment);
    }
    static void deallocate(void* const* context, void* memory, std::size_t bytes) {
        R& resource = *static_cast<R*>(context[0]);
        if constexpr (synchronous_resource<R>)
            resource.deallocate_sync(memory, bytes, arena_alignment);
        else
            resource.deallocate(memory, bytes, arena_alignment);
    }
};

// An object with several owners, which may be of several threads; it ends with the last of them.
template <class T>
class counted {
public:
    counted() = default;
    explicit counted(T&& object) : held_(new held{static_cast<T&&>(object), 1}) {}
    counted(const counted& other) : held_(other.held_) {
        if (held_) __atomic_add_fetch(&held_->owners, 1, __ATOMIC_RELAXED);
    }
    counted(counted&& other) noexcept : held_(other.held_) { other.held_ = nullptr; }
    counted& operator=(counted other) noexcept {
        held* const own = held_;
        held_ = other.held_;
        other.held_ = own;
        return *this;
    }
    ~counted() {
        if (held_ && __atomic_sub_fetch(&held_->owners, 1, __ATOMIC_ACQ_REL) == 0) delete held_;
    }

    explicit operator bool() const { return held_ != nullptr; }
    T& operator*() const { return held_->object; }
    T* operator->() const { return &held_->object; }

private:
    struct held {
        T object;
        long owners;
    };
    held* held_ = nullptr;
};

// Memory with several owners.
class common_memory {
public:
    common_memory() = default;
    explicit common_memory(owned_memory memory) : memory_(static_cast<owned_memory&&>(memory)) {}
    void* get() const { return memory_ ? memory_->get() : nullptr; }
    std::size_t bytes() const { return memory_ ? memory_->bytes() : 0; }

private:
    counted<owned_memory> memory_;
};

// The shared part of the executables of a pool.
struct pool_memory {
    memory_source source = device_memory;
    common_memory memory = {};
    int device = 0;  // of the memory, if there is some

    // A number of bytes for a device, which is the current one.
    common_memory at_least(std::size_t bytes, int on, place of, driver_log* log) {
        check_device(on, of);
        if (bytes > memory.bytes()) {
            memory = common_memory(owned_memory(source, bytes, of, log));
            device = on;
        }
        return memory;
    }
    // Throws error, which names the purpose of the memory, if it is of another device.
    void check_device(int on, place of) const {
        if (memory.bytes() == 0 || device == on) return;
        char text[128];
        const char* const words = of.name.size > 0 ? "is to lie in a pool of device %d, and its graph is on device %d: make a pool for each device."
                                                   : "The pool has memory of device %d, and device %d is current: make a pool for each device.";
        std::snprintf(text, sizeof text, words, device, on);
        throw error(of, text);
    }
};

// The source of an executable's memory, as the user chose it.
struct memory_choice {
    memory_source source = device_memory;
    counted<pool_memory> shared = {};
    cudaStream_t captures_on = nullptr;  // null: captured calls are captured on streams made for that
};

// Captured calls are made on a stream of yours, for libraries that are bound to one: instantiate(e, captures_on(stream), ...),
// or captures_on(stream, use(pool)). It must outlive the executable, whose updates capture again.
inline memory_choice captures_on(cudaStream_t stream, memory_choice memory = {}) {
    memory.captures_on = stream;
    return memory;
}

// Memory of a resource: instantiate(e, use(resource), ...). The resource must outlive the executables.
template <class R>
    requires synchronous_resource<R> || plain_resource<R>
memory_choice use(R& resource) {
    return {{&resource_calls<R>::allocate, &resource_calls<R>::deallocate, {&resource, nullptr}, false}};
}

// Memory of two functions; it must be aligned to 256 bytes, as that of cudaMalloc is.
inline memory_choice use(void* (*allocate)(std::size_t bytes), void (*deallocate)(void* memory)) {
    return {{[](void* const* context, std::size_t bytes) { return reinterpret_cast<void* (*)(std::size_t)>(context[0])(bytes); },
             [](void* const* context, void* memory, std::size_t) { reinterpret_cast<void (*)(void*)>(context[1])(memory); },
             {reinterpret_cast<void*>(allocate), reinterpret_cast<void*>(deallocate)},
             false}};
}

}  // namespace cograph::core
