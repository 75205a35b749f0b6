// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grid.hpp"

#include <cuda_runtime.h>
#include <math.h>  // which nvcc includes in every file

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// CUDA's words for a host compiler. A block is a thread of the operating system (grid.hpp), so what a block shares is what that thread has alone.
#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __launch_bounds__
#undef __noinline__
#define __global__
#define __device__
#define __host__
#define __shared__ static thread_local
#define __launch_bounds__(...)
#define __noinline__

// What convert.py writes in place of nvcc's own, which would change CUDA's headers, too.
#define EMULATED_NVCC
#define EMULATED_ARCHITECTURE 900

inline constinit thread_local uint3 threadIdx{0, 0, 0}, blockIdx{0, 0, 0};
inline constinit thread_local dim3 blockDim{1, 1, 1}, gridDim{1, 1, 1};

namespace emulated {

template <class T, class P>
T* aligned(P* at, std::size_t bytes = sizeof(T)) {
    if (reinterpret_cast<std::uintptr_t>(at) % bytes != 0) stop("an address that is not aligned");
    return reinterpret_cast<T*>(const_cast<std::remove_const_t<P>*>(at));
}
// Other blocks read and write the same memory. A load is likely to be repeated until one of them has written.
template <class T, class P>
T load(P* from) {
    wait_for_others();
    return *aligned<T>(from);
}
template <class P>
void load_both(word& first, word& second, P* from) {
    wait_for_others();
    const word* const both = aligned<word>(from, 2 * sizeof(word));
    first = both[0];
    second = both[1];
}
template <class T, class P>
void store(P* to, T value) {
    may_wait();
    *aligned<T>(to) = value;
    note_change();
    may_wait();
}
template <class P>
void store_both(P* to, word first, word second) {
    may_wait();
    word* const both = aligned<word>(to, 2 * sizeof(word));
    both[0] = first;
    both[1] = second;
    note_change();
    may_wait();
}
template <class T>
void store_shared(unsigned at, T value) {
    if (at % sizeof(T) != 0 || at + sizeof(T) > dynamic_bytes()) stop("a write beyond shared memory");
    *reinterpret_cast<T*>(dynamic_memory() + at) = value;
}
template <class T>
T* in_cluster(T* own, unsigned block) {
    return static_cast<T*>(in_cluster(static_cast<void*>(own), block));
}
template <class T, class Change>
T atomically(T* at, Change change) {
    may_wait();
    const T old = *at;
    *at = change(old);
    note_change();
    return old;
}

template <class T>
T shuffle(unsigned mask, T value, unsigned from, const char* what) {
    static_assert(sizeof(T) <= sizeof(word));
    word given = 0;
    std::memcpy(&given, &value, sizeof(T));
    const word* const all = meet_in_warp(what, mask, given);
    if ((mask >> from & 1) != 0) std::memcpy(&value, &all[from], sizeof(T));  // of a thread that does not meet it may be any
    return value;
}
// A lane, and where its part of a warp begins, which has so many lanes.
struct lane_in_part {
    unsigned own, first, width;
    explicit lane_in_part(int lanes) : own(threadIdx.x % 32), first(own / static_cast<unsigned>(lanes) * static_cast<unsigned>(lanes)), width(static_cast<unsigned>(lanes)) {}
    unsigned at(unsigned lane) const { return lane - first < width ? lane : own; }
};
inline unsigned ballot(unsigned mask, bool own, const char* what) {
    const word* const all = meet_in_warp(what, mask, own);
    unsigned bits = 0;
    for (unsigned lane = 0; lane < 32; ++lane) bits |= static_cast<unsigned>(all[lane]) << lane;
    return bits;
}

}  // namespace emulated

inline void __syncthreads() { emulated::meet_in_block(false); }
inline int __syncthreads_or(int own) { return emulated::meet_in_block(own != 0); }
inline void __syncwarp(unsigned mask = ~0u) { emulated::meet_in_warp("__syncwarp", mask, 0); }
template <class T>
T __shfl_sync(unsigned mask, T value, int from, int width = 32) {
    const emulated::lane_in_part part(width);
    return emulated::shuffle(mask, value, part.first + static_cast<unsigned>(from) % part.width, "__shfl_sync");
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32) {
    const emulated::lane_in_part part(width);
    return emulated::shuffle(mask, value, part.at(part.own - by), "__shfl_up_sync");
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32) {
    const emulated::lane_in_part part(width);
    return emulated::shuffle(mask, value, part.at(part.own + by), "__shfl_down_sync");
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int by, int width = 32) {
    const emulated::lane_in_part part(width);
    return emulated::shuffle(mask, value, part.at(part.own ^ static_cast<unsigned>(by)), "__shfl_xor_sync");
}
inline unsigned __ballot_sync(unsigned mask, int own) { return emulated::ballot(mask, own != 0, "__ballot_sync"); }
inline bool __any_sync(unsigned mask, int own) { return emulated::ballot(mask, own != 0, "__any_sync") != 0; }
inline bool __all_sync(unsigned mask, int own) { return emulated::ballot(mask, own == 0, "__all_sync") == 0; }
inline unsigned __reduce_max_sync(unsigned mask, unsigned own) {
    const emulated::word* const all = emulated::meet_in_warp("__reduce_max_sync", mask, own);
    emulated::word most = 0;
    for (unsigned lane = 0; lane < 32; ++lane) most = all[lane] > most ? all[lane] : most;
    return static_cast<unsigned>(most);
}
inline void __threadfence() { emulated::may_wait(); }
inline void __nanosleep(unsigned) { emulated::wait_for_others(); }

template <class T>
T atomicAdd(T* at, std::type_identity_t<T> more) {
    return emulated::atomically(at, [&](T old) { return static_cast<T>(old + more); });
}
template <class T>
T atomicMax(T* at, std::type_identity_t<T> other) {
    return emulated::atomically(at, [&](T old) { return other > old ? other : old; });
}
template <class T>
T atomicExch(T* at, std::type_identity_t<T> other) {
    return emulated::atomically(at, [&](T) { return other; });
}
inline unsigned atomicInc(unsigned* at, unsigned most) {
    return emulated::atomically(at, [&](unsigned old) { return old >= most ? 0 : old + 1; });
}
template <class T>
T __ldcg(const T* from) {
    return *emulated::aligned<T>(from);
}
template <class T>
void __stcg(T* to, T value) {
    *emulated::aligned<T>(to) = value;
}
inline std::size_t __cvta_generic_to_shared(const void* at) {
    return static_cast<std::size_t>(static_cast<const char*>(at) - emulated::dynamic_memory());
}
inline int __clz(int of) { return of == 0 ? 32 : __builtin_clz(static_cast<unsigned>(of)); }
inline int __popc(unsigned of) { return __builtin_popcount(of); }
inline unsigned __brev(unsigned of) {
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; ++bit) reversed |= (of >> bit & 1) << (31 - bit);
    return reversed;
}

inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) { emulated::decide(handle, value); }

// Parts of CUDA that are not emulated.
inline void cudaGridDependencySynchronize() {}
template <class... P>
cudaError_t cudaGraphKernelNodeSetParam(P...) {
    emulated::stop("an update from the device");
}
template <class... P>
cudaError_t cudaGraphKernelNodeSetEnabled(P...) {
    emulated::stop("an update from the device");
}
