// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/refused/pool.cuh>

#include <cstddef>
#include <type_traits>

namespace cograph::core {

// Memory for the temps of executables that never run at once: instantiate(e, use(p), ...). It is as large as its
// largest executable needs. One that needs more gets new memory, which later ones share with it; earlier ones keep
// their memory as long as they live. Therefore reserve, or make the largest first. A pool may be destroyed before its
// executables. It and they belong to one thread at a time, and to the device that is current when it gets memory.
// Copies of a pool are the same pool.
class pool {
public:
    pool() : pool(memory_choice{}) {}
    // A pool in memory from a resource or two functions: pool p(use(resource)).
    explicit pool(const memory_choice& from) : common_(pool_memory{from.source}) {}

    // The bytes that executables can share now.
    std::size_t bytes() const { return common_->memory.bytes(); }
    // Reserves this many bytes at once. Throws error if there are none, or if the pool has memory of another device.
    void reserve(std::size_t bytes) {
        int device = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        common_->at_least(bytes, device, {}, nullptr);
    }

private:
    friend memory_choice use(const pool& shared);
    counted<pool_memory> common_;
};

inline memory_choice use(const pool& shared) { return {shared.common_->source, shared.common_}; }

}  // namespace cograph::core
