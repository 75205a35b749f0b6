// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector_types.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// Runs kernels on the CPU. Each CUDA thread is a function with a stack of its own that can wait, each block a thread of the operating system, of which
// one runs at a time. So a run is the same each time, and a run in which nothing can go on any more ends with a message.
namespace emulated {

using word = unsigned long long;

[[noreturn]] void stop(const char* what);

// How a kernel is called, without its type.
struct kernel_call {
    void (*run)(const void* kernel, void* const* parameters);
    std::vector<std::size_t> bytes;  // of each parameter
};
const void* note_kernel(const void* kernel, kernel_call call);

// `kernel->*f` is the address of f. Pointers to members bind as strongly as casts do, which convert.py replaces.
struct kernel_address {};
inline constexpr kernel_address kernel;
template <class... P>
const void* operator->*(kernel_address, void (*of)(P...)) {
    constexpr auto run = [](const void* f, void* const* parameters) {
        const auto call = [&]<std::size_t... I>(std::index_sequence<I...>) {
            reinterpret_cast<void (*)(P...)>(const_cast<void*>(f))(*static_cast<P*>(parameters[I])...);
        };
        call(std::index_sequence_for<P...>{});
    };
    return note_kernel(reinterpret_cast<const void*>(of), {run, {sizeof(P)...}});
}
inline const void* operator->*(kernel_address, std::nullptr_t) { return nullptr; }
template <class T>
const void* operator->*(kernel_address, T* other) {  // an object, or a function that is called
    return reinterpret_cast<const void*>(other);
}

struct launch {
    const void* kernel;
    kernel_call call;
    std::vector<std::vector<std::byte>> parameters;
    dim3 grid, block;
    unsigned shared_bytes = 0, blocks_of_cluster = 1;
};
void run(launch const& what);
void decide(unsigned long long handle, unsigned value);  // what the conditional node with the handle does

// The order in which threads and blocks run: 0 that of their numbers, 1 from the last to the first, other seeds at random, with more changes between them.
// What is in shared memory at first follows from the seed, too.
inline unsigned seed = 0;
inline int multiprocessors = 9, shared_kib = 227;
struct last_launch {
    std::string kernel;  // mangled
    unsigned blocks = 0, threads = 0, blocks_of_cluster = 0;
};
inline last_launch last;

// What a kernel's thread asks for.
char* dynamic_memory();
unsigned dynamic_bytes();
unsigned blocks_of_cluster();
void* in_cluster(void* own, unsigned block);  // the same place in the shared memory of another block
bool meet_in_block(bool own);  // whether any thread says so
const word* meet_in_warp(const char* what, unsigned mask, word own);  // what each lane of the mask gives
void meet_in_part(int barrier, int threads);  // of a block
void arrive_in_cluster();
void wait_in_cluster();
void wait_for_others();  // until other blocks had their turn
void may_wait();  // here, if the order is random
void note_change();  // of memory: something goes on

}  // namespace emulated
