// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/launch/persistent_shape.cuh>

#include <type_traits>

namespace cograph::core {

// The kernels of a code for blocks of up to persistent_threads and up to small_block threads. Those of small blocks have twice
// the registers; more than fit are kept in memory.
struct kernel_pair {
    const void* of_large_blocks;
    const void* of_small_blocks;
};
// Stands in the table of kernels for a code that has several. Only persistent nodes have those after the first pair; a launch takes one by its shape.
struct kernel_choice {
    kernel_pair of_any;
    kernel_pair of_one_element = {};  // at most, of a thread
    kernel_pair of_tiles = {};  // of many elements a thread, and of few
    kernel_pair of_overlapping_tiles = {};
    const void* of_tall_tiles = nullptr;
    const void* of_large_tiles = nullptr;
    const void* of_parts = nullptr;         // of large tiles of which a part is on chip
    const void* of_sending_grid = nullptr;  // of a barrier-free program: small blocks, which send results to each other, and one element a thread at most
};
template <class Code, int Threads>
inline constexpr auto sized_kernel = nullptr;
template <class Code, int Threads>
inline constexpr auto sized_kernel_of_one_element = nullptr;
// Of a program without barriers (plan/persistent/steps.hpp).
template <class Code>
inline constexpr auto kernel_that_sends = nullptr;
// For any number of elements, of which threads may keep some.
template <class Code>
inline constexpr auto kernel_that_keeps = nullptr;
template <class Code>
consteval auto choose_large_kernel() {
    if constexpr (std::is_null_pointer_v<decltype(kernel_that_keeps<Code>)>)
        return sized_kernel<Code, persistent_threads>;
    else
        return kernel_that_keeps<Code>;
}
template <class Code>
kernel_pair kernels_of_any() {
    return {(const void*)choose_large_kernel<Code>(), (const void*)sized_kernel<Code, small_block>};
}
template <class Code, int Threads>
inline constexpr auto sized_compact_kernel = nullptr;
template <class Code>
kernel_choice all_kernels() {
    return {.of_any = kernels_of_any<Code>(),
            .of_one_element = {(const void*)sized_kernel_of_one_element<Code, persistent_threads>, (const void*)sized_kernel_of_one_element<Code, small_block>},
            .of_sending_grid = (const void*)kernel_that_sends<Code>};
}

// The kernels of a loop whose blocks have Threads threads.
template <class Code, int Threads, bool Exact>
kernel_choice kernels_of_shape() {
    if constexpr (Exact) {
        const void* const only = (const void*)sized_compact_kernel<Code, Threads>;
        return {{only, only}, {only, only}};
    } else {
        const void* const of_any = (const void*)sized_kernel<Code, Threads>;
        const void* const of_one = (const void*)sized_kernel_of_one_element<Code, Threads>;
        return {{of_any, of_any}, {of_one, of_one}};
    }
}

// The kernels of a loop over so few elements that each thread of a block has one; if threads of large blocks would spill, those of small ones loop.
template <class Code, int Threads, bool MayShrink>
kernel_choice kernels_of_few() {
    const void* const of_one = (const void*)sized_kernel_of_one_element<Code, Threads>;
    kernel_pair both{of_one, of_one};
    if constexpr (MayShrink) both.of_small_blocks = (const void*)sized_kernel<Code, small_block>;
    return {both, both};
}

// The kernels of a loop with rolled nodes: for any number of elements a thread.
template <class Code, int Threads>
kernel_choice kernels_of_rolled() {
    constexpr int large = Threads == 0 ? persistent_threads : Threads, small = Threads == 0 ? small_block : Threads;
    const kernel_pair of_any{(const void*)sized_kernel<Code, large>, (const void*)sized_kernel<Code, small>};
    return {of_any, of_any};
}

}  // namespace cograph::core
