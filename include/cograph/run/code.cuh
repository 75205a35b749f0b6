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

// The kernel of a code.
template <class Code>
struct device_code;
template <class Stage, class... P>
struct device_code<stage_code<Stage, P...>> {
    static const void* kernel() { return reinterpret_cast<const void*>(&stage_kernel<Stage, P...>); }
};
template <class Condition, class... P>
struct device_code<condition_code<Condition, P...>> {
    static const void* kernel() { return reinterpret_cast<const void*>(&condition_kernel<Condition, P...>); }
};
template <auto F, auto Host>
struct device_code<function_code<F, Host>> {
    static const void* kernel() { return reinterpret_cast<const void*>(F); }
};

// The kernels of an expression in the order of its plan, as a tree of constants: its own, then those of its children.
struct kernel_tree {
    const void* const* own;
    int own_count;
    const kernel_tree* const* children;
    int child_count;
};
template <class E, class Codes = typename E::codes, class Children = typename E::children>
struct kernels_of;
template <class E, class... C, class... Child>
struct kernels_of<E, list<C...>, list<Child...>> {
    static inline const void* const own[sizeof...(C) + 1] = {device_code<C>::kernel()..., nullptr};
    static inline const kernel_tree* const children[sizeof...(Child) + 1] = {&kernels_of<Child>::tree..., nullptr};
    static inline const kernel_tree tree{own, sizeof...(C), children, sizeof...(Child)};
};

inline const void** collect_kernels(const kernel_tree& tree, const void** to) {
    for (int i = 0; i < tree.own_count; ++i) *to++ = tree.own[i];
    for (int i = 0; i < tree.child_count; ++i) to = collect_kernels(*tree.children[i], to);
    return to;
}

}  // namespace cograph
