// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/condition.hpp>
#include <cograph/expr/kernel.hpp>
#include <cograph/run/grid.cuh>

#include <cuda_runtime_api.h>

namespace cograph {

template <class Stage, class... P>
__global__ void stage_kernel(P... p) {
    Stage::run(grid_context{}, p...);
}

// Where a condition goes: to a conditional node, or to memory that an eager run reads.
struct condition_target {
    cudaGraphConditionalHandle handle;
    unsigned* memory;
};

template <class Condition, class... P>
__global__ void condition_kernel(condition_target target, P... p) {
    const unsigned value = Condition::of(p...);
    if (target.memory)
        *target.memory = value;
    else
        cudaGraphSetConditional(target.handle, value);
}

// The kernel of a code. A variable, not a function: nothing is emitted for it.
template <class Code>
inline constexpr auto kernel_of = nullptr;
template <class Stage, class... P>
inline constexpr auto kernel_of<stage_code<Stage, P...>> = &stage_kernel<Stage, P...>;
template <class Condition, class... P>
inline constexpr auto kernel_of<condition_code<Condition, P...>> = &condition_kernel<Condition, P...>;
template <auto F, auto Host>
inline constexpr auto kernel_of<function_code<F, Host>> = F;

// The kernels of an expression in the order of its plan, as a tree of constants: a kernel, or all that a child has.
struct kernel_entry {
    const void* kernel;
    const kernel_entry* below;  // ends with an entry of two nulls
};

template <class Codes, class Children>
struct kernels_of;
struct no_kernels {
    static constexpr const kernel_entry* entries = nullptr;
};
// A node has one kernel; anything else, entries of its own.
template <class E>
struct kernels_below {
    using more = kernels_of<typename E::codes, typename E::children>;
    static constexpr auto kernel = nullptr;
};
template <class E>
    requires(E::tree.kind == seed_kind::work)
struct kernels_below<E> {
    template <class Code>
    static constexpr auto only(list<Code>) {
        return kernel_of<Code>;
    }
    using more = no_kernels;
    static constexpr auto kernel = only(typename E::codes{});
};
template <class... C, class... Child>
struct kernels_of<list<C...>, list<Child...>> {
    static inline const kernel_entry entries[] = {{(const void*)kernel_of<C>, nullptr}...,
                                                  {(const void*)kernels_below<Child>::kernel, kernels_below<Child>::more::entries}...,
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

}  // namespace cograph
