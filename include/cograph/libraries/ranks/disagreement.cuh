// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/libraries/library_handles.cuh>
#include <cograph/libraries/nccl_routines.hpp>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <new>

namespace cograph::core::nccl_routine {

// What ranks were found to disagree about, in memory of the host that kernels write: one for the process, kept until it ends.
struct disagreement {
    int is_known, rank;
    double first, other;
    char name[64];
};
inline std::atomic<disagreement*>& known_disagreement() {
    static std::atomic<disagreement*> known{nullptr};
    return known;
}
inline disagreement* memory_of_disagreement() {
    static disagreement* const kept = [] {
        void* memory = nullptr;
        core::must_succeed(cudaHostAlloc(&memory, sizeof(disagreement), cudaHostAllocPortable | cudaHostAllocMapped), "cudaHostAlloc");
        disagreement* const made = new (memory) disagreement{};
        known_disagreement() = made;
        return made;
    }();
    return kept;
}
// Throws if a kernel has found one.
inline void refuse_disagreement() {
    const volatile disagreement* const found = known_disagreement();
    if (!found || !found->is_known) return;
    char text[240];
    tell_disagreement(text, const_cast<const char*>(found->name), found->first, found->rank, found->other);
    throw error({}, text);
}

struct short_name {
    char text[sizeof(disagreement::name)];
};
// Traps where ranks differ, and tells before on what: by printf, and for nccl::wait.
template <class T>
__global__ void compare_ranks(const T* all, int ranks, short_name what, disagreement* told) {
    for (int rank = 1; rank < ranks; ++rank) {
        if (is_same_number(all[rank], all[0])) continue;
        for (std::size_t i = 0; i < sizeof what.text; ++i) told->name[i] = what.text[i];
        told->rank = rank;
        told->first = static_cast<double>(all[0]);
        told->other = static_cast<double>(all[rank]);
        __threadfence_system();
        *const_cast<volatile int*>(&told->is_known) = 1;
        __threadfence_system();
        printf("cograph: ranks disagree in '%s': rank 0 has %g, and rank %d has %g.\n", what.text, told->first, rank, told->other);
        __trap();
    }
}

}  // namespace cograph::core::nccl_routine
