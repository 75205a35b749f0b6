// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/condition.hpp>
#include <cograph/expr/kernel.hpp>
#include <cograph/run/persistent.cuh>

#include <cuda_runtime_api.h>

namespace cograph::core {

// Its blocks have up to persistent_threads threads.
template <class Stage, class... P>
__global__ void __launch_bounds__(persistent_threads) stage_kernel(P... p) {
    Stage::run(grid_context{}, p...);
}

// The same for a stage over elements, with fewer functions for the compiler to inline.
template <class Stage, class N, class... P>
__global__ void element_kernel(N n, P... p) {
    const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < static_cast<index_t>(n)) Stage::at(i, n, p...);
}

// Sets the handle of a conditional node; runs in one thread.
template <class Condition, class... P>
__global__ void set_condition(cudaGraphConditionalHandle handle, P... p) {
    cudaGraphSetConditional(handle, setting<Condition>(Condition::of(p...)));
}

// Stores a condition where an eager run reads it; runs in one thread.
template <class Condition, class... P>
__global__ void store_condition(unsigned* value, P... p) {
    *value = Condition::of(p...);
}

// Where conditions go.
struct to_graph {};
struct to_memory {};

// The kernel of a code. A variable, not a function: nothing is emitted for it.
template <class Code, class Target>
inline constexpr auto kernel_of = nullptr;
template <class Stage, class... P>
consteval auto kernel_of_stage() {
    if constexpr (Stage::rule == launch_rule::per_element)
        return &element_kernel<Stage, P...>;
    else
        return &stage_kernel<Stage, P...>;
}
template <class Stage, class... P, class Target>
inline constexpr auto kernel_of<stage_code<Stage, P...>, Target> = kernel_of_stage<Stage, P...>();
template <class Condition, class... P>
inline constexpr auto kernel_of<condition_code<Condition, P...>, to_graph> = &set_condition<Condition, P...>;
template <class Condition, class... P>
inline constexpr auto kernel_of<condition_code<Condition, P...>, to_memory> = &store_condition<Condition, P...>;
template <class Program, class Slot, class Source, class Stored, class... P, class Target>
inline constexpr auto kernel_of<persistent_code<Program, Slot, Source, Stored, P...>, Target> =
    &persistent_kernel<Program, Slot, Source, Stored, P...>;
template <auto F, auto Host, class Target>
inline constexpr auto kernel_of<function_code<F, Host>, Target> = F;

// The kernels of an expression, and of other nodes the functions that stand for them, in the order of its plan, as a tree of
// constants: a kernel, or all that a child has.
struct kernel_entry {
    const void* kernel;
    const kernel_entry* below;  // ends with an entry of two nulls
};

template <class Target, class Codes, class Children>
struct kernels_of;
struct no_kernels {
    static constexpr const kernel_entry* entries = nullptr;
};
// A node has one kernel; anything else, entries of its own.
template <class Target, class E>
struct kernels_below {
    using more = kernels_of<Target, typename E::codes, typename E::children>;
    static constexpr auto kernel = nullptr;
};
template <class Target, class E>
    requires(E::tree.kind == seed_kind::work)
struct kernels_below<Target, E> {
    template <class Code>
    static constexpr auto only(list<Code>) {
        return kernel_of<Code, Target>;
    }
    using more = no_kernels;
    static constexpr auto kernel = only(typename E::codes{});
};
template <class Target, class... C, class... Child>
struct kernels_of<Target, list<C...>, list<Child...>> {
    static inline const kernel_entry entries[] = {{(const void*)kernel_of<C, Target>, nullptr}...,
                                                  {(const void*)kernels_below<Target, Child>::kernel,
                                                   kernels_below<Target, Child>::more::entries}...,
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
