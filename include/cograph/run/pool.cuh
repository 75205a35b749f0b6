// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/memory.cuh>

namespace cograph::core {

// Memory with several owners, of one thread at a time; the last of them gives it back.
class common_memory {
public:
    common_memory() = default;
    explicit common_memory(owned_memory memory) : held_(new held{static_cast<owned_memory&&>(memory), 1}) {}
    common_memory(const common_memory& other) : held_(other.held_) {
        if (held_) ++held_->owners;
    }
    common_memory(common_memory&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
    common_memory& operator=(common_memory other) noexcept {
        std::swap(held_, other.held_);
        return *this;
    }
    ~common_memory() {
        if (held_ && --held_->owners == 0) delete held_;
    }

    void* get() const { return held_ ? held_->memory.get() : nullptr; }
    std::size_t bytes() const { return held_ ? held_->memory.bytes() : 0; }

private:
    struct held {
        owned_memory memory;
        long owners;
    };
    held* held_ = nullptr;
};

// Memory for the temps of executables that never run at once: instantiate(e, use(p), ...). It is as large as the largest of
// them needs. One that needs more gets new memory, which later ones share with it; earlier ones keep what they have, which
// lives as long as they do. So reserve, or make the largest first. A pool may go before its executables; it and they belong
// to one thread at a time, and to the device that is current when they are made.
class pool {
public:
    pool() = default;
    // Of memory from a resource or two functions: pool p(use(resource)).
    explicit pool(const memory_choice& from) : source_(from.source) {}
    pool(pool&&) = default;
    pool& operator=(pool&&) = default;

    // The bytes that executables can share now.
    std::size_t bytes() const { return memory_.bytes(); }
    // Makes room for so many, at once. Throws error when there are none.
    void reserve(std::size_t bytes) { at_least(bytes, {}, nullptr); }

    const memory_source& source() const { return source_; }
    common_memory at_least(std::size_t bytes, place of, driver_log* log) {
        if (bytes > memory_.bytes()) memory_ = common_memory(owned_memory(source_, bytes, of, log));
        return memory_;
    }

private:
    memory_source source_ = device_memory;
    common_memory memory_;
};

inline memory_choice use(pool& shared) { return {shared.source(), &shared}; }

}  // namespace cograph::core
