// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>

namespace cograph::core {

// While nvcc compiles for the device it needs no plan.
#if defined(__CUDA_ARCH__)
template <class E, class V>
inline constexpr bool is_written = false;
#else
template <class E, class V>
inline constexpr bool is_written = planned<E, V>().written;
#endif

// An out argument is copied out as a whole: each call has to write all of it.

// Whether a node writes some elements of a variable alone, in a plan or in one run of it.
constexpr bool writes_partly(const plan_view& p, const plan_node& r, int variable) {
    bool is = false;
    for (int i = 0; i < r.argument_count; ++i)
        is |= p.arguments[r.first_argument + i] == variable && r.from->arguments[i].variable && writes(r.from->arguments[i].access) &&
              !r.from->traits->written_elsewhere && touches_partly(*r.from, r.from->arguments[i]);
    return is;
}
constexpr bool writes(const plan_view& p, const plan_node& r, int variable) {
    bool is = false;
    for (int i = 0; i < r.access_count; ++i) {
        const access& a = p.accesses[r.first_access + i];
        is |= a.variable == variable && changes(r, a);
    }
    return is;
}

// Whether only a run knows if an expression writes all elements of a variable.
constexpr bool depends_on_extents(const plan_view& p, const variable_info* variable) {
    bool is = false;
    for (int r = 0; r < p.count.nodes; ++r) {
        const plan_node& here = p.nodes[r];
        if (here.kind != plan_node_kind::work) continue;
        for (int v = 0; v < p.count.named; ++v) {
            if (p.variables[v].info != variable || !writes(p, here, v)) continue;
            if (writes_partly(p, here, v))
                is = true;
            else if (here.region == 0)
                return false;
        }
    }
    return is;
}

// Throws if a run that writes a variable on every path leaves some of its elements unchanged.
inline void check_written(const frame& f, const variable_info* variable) {
    const int v = number_of(f, variable);
    const index_t all = static_cast<index_t>(f.slots[v].count);
    const plan_node* too_few = nullptr;
    for (int r = 0; r < f.plan.count.nodes; ++r) {
        const plan_node& here = f.plan.nodes[r];
        if (here.kind != plan_node_kind::work || !writes(f.plan, here, v)) continue;
        if (writes_partly(f.plan, here, v) && domain_size(f, here) < all)
            too_few = &here;
        else if (here.region == 0)
            return;
    }
    if (!too_few) return;
    const name_view name = variable->name.read();
    refuse(place_of(f, *too_few), "writes %lld of the %lld elements of '%.*s', which is marked out: mark it inout among the arguments, or give fewer",
           static_cast<long long>(domain_size(f, *too_few)), static_cast<long long>(all), static_cast<int>(name.size), name.data);
}

// Asks for each of some variables with the given bindings; null ones are none. Returns whether any depends on extents
// at all.
template <class E, class... B>
bool check_outputs(const variable_info* const* outputs, int count, const E& e, const B&... bindings) {
    frame f(plan_to_run<E>(), e.records);
    bool any = false;
    for (const variable_info* const* v = outputs; v < outputs + count; ++v) any |= *v && depends_on_extents(f.plan, *v);
    if (!any) return false;
    fill_frame(f, e, bindings...);
    for (const variable_info* const* v = outputs; v < outputs + count; ++v)
        if (*v) check_written(f, *v);
    return true;
}

}  // namespace cograph::core
