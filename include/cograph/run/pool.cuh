// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/memory.cuh>

namespace cograph::core {

// Memory for the temps of executables that never run at once: instantiate(e, use(p), ...). It is as large as the largest of
// them needs. One that needs more gets new memory, which later ones share with it; earlier ones keep what they have, which
// lives as long as they do. So reserve, or make the largest first. A pool may go before its executables; it and they belong
// to one thread at a time, and to the device that is current when they are made. Copies of a pool are the same pool.
class pool {
public:
    pool() : pool(memory_choice{}) {}
    // Of memory from a resource or two functions: pool p(use(resource)).
    explicit pool(const memory_choice& from) : common_(pool_memory{from.source}) {}

    // The bytes that executables can share now.
    std::size_t bytes() const { return common_->memory.bytes(); }
    // Makes room for so many, at once. Throws error when there are none.
    void reserve(std::size_t bytes) { common_->at_least(bytes, {}, nullptr); }

    memory_choice choice() const { return {common_->source, common_}; }

private:
    counted<pool_memory> common_;
};

inline memory_choice use(const pool& shared) { return shared.choice(); }

}  // namespace cograph::core
