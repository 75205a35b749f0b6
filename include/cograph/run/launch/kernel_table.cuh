// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/group_nodes.hpp>
#include <cograph/expr/formula/condition_code.hpp>
#include <cograph/expr/node/kernel.hpp>
#include <cograph/run/kernel/box/few_planes_kernel.cuh>
#include <cograph/run/kernel/ordered_chunks_kernel.cuh>
#include <cograph/run/persistent/persistent_kernel.cuh>
#include <cograph/run/tiles/tile_kernel.cuh>

#include <cuda_runtime_api.h>

namespace cograph::core {

// The kernel of a stage, whose blocks have up to Threads threads.
template <int Threads, class Stage, class... P>
__global__ void __launch_bounds__(Threads) stage_kernel(P... p) {
    Stage::run(grid_context{}, p...);
}
template <class Stage, class... P, int Threads>
inline constexpr auto sized_kernel<stage_code<Stage, P...>, Threads> = &stage_kernel<Threads, Stage, P...>;

// The same for a stage over elements, with fewer functions for the compiler to inline.
template <class Stage, class N, class... P>
__global__ void element_kernel(N n, P... p) {
    const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < static_cast<index_t>(n)) Stage::at(i, n, p...);
}

// The same if a thread takes a few.
template <class Stage, class N, class Memory, class... P>
__global__ void few_elements_kernel(N n, Memory memory, P... p) {
    constexpr int few = few_elements(sizeof(*memory.at));
    const index_t stride = blockDim.x;
    index_t i = static_cast<index_t>(blockIdx.x) * few * stride + threadIdx.x;
    if (i + (few - 1) * stride < static_cast<index_t>(n)) {
        Stage::at_few(std::make_integer_sequence<int, few>{}, i, stride, n, memory, p...);
    } else {
#pragma unroll 1
        for (; i < static_cast<index_t>(n); i += stride) Stage::at(i, n, memory, p...);
    }
}

// The same if a group of threads has an element, or a chunk of some.
template <class Stage, class N, class... P>
__global__ void group_kernel(N n, P... p) {
    constexpr int size = Stage::threads::size;
    const index_t i = static_cast<index_t>(blockIdx.x) * (blockDim.x / size) + threadIdx.x / size;
    if (i >= Stage::threads::groups_for(static_cast<index_t>(n))) return;
    const thread_group<size> group;
    Stage::at(group, i, n, p...);
}

// Sets the handle of a conditional node; runs in one thread.
template <class Condition, class... P>
__global__ void set_condition(cudaGraphConditionalHandle handle, P... p) {
    cudaGraphSetConditional(handle, setting<Condition>(Condition::of(p...)));
}

// Stores a condition for an eager run, which reads it; runs in one thread.
template <class Condition, class... P>
__global__ void store_condition(unsigned* value, P... p) {
    *value = Condition::of(p...);
}

// The targets of conditions.
struct to_graph {};
struct to_memory {};

// The kernel of a code, or the function that gives all it has. A variable, not a function: nothing is emitted for it.
template <class Code, class Target>
inline constexpr auto kernel_of = nullptr;
template <class Threads>
struct kernel_of_stage;
template <>
struct kernel_of_stage<one_thread> {
    template <class Stage, class... P>
    static constexpr auto of = &stage_kernel<warp_lanes, Stage, P...>;
};
template <>
struct kernel_of_stage<a_tile_a_chunk> {
    template <class Stage, class... P>
    static consteval auto choose() {
        if constexpr (Stage::template has_two_kernels<P...>)
            return &all_kernels<stage_code<Stage, P...>>;
        else
            return &stage_kernel<persistent_threads, Stage, P...>;
    }
    template <class Stage, class... P>
    static constexpr auto of = choose<Stage, P...>();
};
template <>
struct kernel_of_stage<a_thread_an_element> {
    template <class Stage, class... P>
    static constexpr auto of = &element_kernel<Stage, P...>;
};
template <>
struct kernel_of_stage<few_elements_a_thread> {
    template <class Stage, class... P>
    static constexpr auto of = &few_elements_kernel<Stage, P...>;
};
template <>
struct kernel_of_stage<few_planes_a_thread> {
    template <class Stage, class... P>
    static consteval auto choose() {
        if constexpr ((is_near_parameter<P> || ...))
            return &few_planes_kernel<Stage, P...>;
        else
            return &element_kernel<Stage, P...>;
    }
    template <class Stage, class... P>
    static constexpr auto of = choose<Stage, P...>();
};
template <int Size, class Deal>
struct kernel_of_stage<groups_of_threads<Size, Deal>> {
    template <class Stage, class... P>
    static constexpr auto of = &group_kernel<Stage, P...>;
};
template <>
struct kernel_of_stage<chunks_in_order> {
    template <class Stage, class... P>
    static constexpr auto of = &ordered_chunks_kernel<Stage, P...>;
};
template <class Stage, class... P, class Target>
inline constexpr auto kernel_of<stage_code<Stage, P...>, Target> = kernel_of_stage<typename Stage::threads>::template of<Stage, P...>;
template <class Condition, class... P>
inline constexpr auto kernel_of<condition_code<Condition, P...>, to_graph> = &set_condition<Condition, P...>;
template <class Condition, class... P>
inline constexpr auto kernel_of<condition_code<Condition, P...>, to_memory> = &store_condition<Condition, P...>;
template <class Program, class Slot, class Place, class Source, class Stored, class... P, class Target>
inline constexpr auto kernel_of<persistent_code<Program, Slot, Place, Source, Stored, P...>, Target> =
    &all_kernels<persistent_code<Program, Slot, Place, Source, Stored, P...>>;
template <class Plain, class Program, int Rank, int Sides, unsigned Own, int How, class... More, class Target>
inline constexpr auto kernel_of<tiled_code<Plain, Program, Rank, Sides, Own, How, More...>, Target> =
    &kernels_with_tiles<tiled_code<Plain, Program, Rank, Sides, Own, How, More...>>::all;
template <class Plain, int Threads, bool Exact, class Target>
inline constexpr auto kernel_of<shaped_code<Plain, Threads, Exact>, Target> = &kernels_of_shape<Plain, Threads, Exact>;
template <class Plain, int Threads, bool MayShrink, class Target>
inline constexpr auto kernel_of<code_of_few<Plain, Threads, MayShrink>, Target> = &kernels_of_few<Plain, Threads, MayShrink>;
template <class Plain, int Threads, class Target>
inline constexpr auto kernel_of<code_of_rolled<Plain, Threads>, Target> = &kernels_of_rolled<Plain, Threads>;
template <auto F, auto Host, class Target>
inline constexpr auto kernel_of<function_code<F, Host>, Target> = F;

// The kernels of an expression, and of other nodes the functions that stand for them, in the order of its plan, as a tree of
// constants: a kernel, or all that a child has.
struct kernel_entry {
    const void* kernel;
    const kernel_entry* below;  // ends with an entry of two nulls
};

// The kernel of a node; null for anything else, which has entries of its own. A variable, not a class: less for each node.
template <class Target, class Codes, class Children>
inline constexpr auto only_kernel = nullptr;
template <class Target, class Code>
inline constexpr auto only_kernel<Target, list<Code>, list<>> = kernel_of<Code, Target>;
template <class Target, auto F, auto Host>
inline constexpr auto only_kernel<Target, list<function_code<F, Host>>, list<>> = F;

template <class Target, class Codes, class Children>
struct kernels_of;
struct no_kernels {
    static constexpr const kernel_entry* entries = nullptr;
};
template <class Kernel>
struct kernels_below {
    template <class...>
    using of = no_kernels;
};
template <>
struct kernels_below<const std::nullptr_t> {
    template <class Target, class Codes, class Children>
    using of = kernels_of<Target, Codes, Children>;
};
// Not a member of kernels_of: cicc would copy all its arguments for each child.
template <class Target, class Codes, class Children>
using entries_below = typename kernels_below<decltype(only_kernel<Target, Codes, Children>)>::template of<Target, Codes, Children>;
template <class Target, class... C, class... Child>
struct kernels_of<Target, list<C...>, list<Child...>> {
    static inline const kernel_entry entries[] = {
        {(const void*)kernel_of<C, Target>, nullptr}...,
        {(const void*)only_kernel<Target, typename Child::codes, typename Child::children>,
         entries_below<Target, typename Child::codes, typename Child::children>::entries}...,
        {nullptr, nullptr}};
};

inline const void** collect_kernels(const kernel_entry* entry, const void** to) {
    for (; entry->kernel || entry->below; ++entry) {
        if (entry->kernel)
            *to++ = entry->kernel;
        else
            to = collect_kernels(entry->below, to);
    }
    return to;
}

}  // namespace cograph::core
