// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/analysis/arena.hpp>
#include <cograph/plan/bind/check.hpp>
#include <cograph/plan/bind/check_assignment.hpp>
#include <cograph/plan/bind/compute_values.hpp>
#include <cograph/plan/bind/refused_reads.hpp>
#include <cograph/plan/persistent/group_memory.hpp>
#include <cograph/plan/refused/run.hpp>
#include <cograph/plan/tiles/tile_launch.hpp>

namespace cograph::core {

inline void bind(frame& f, const variable_info* variable, const bound_range& b) {
    f.set(variable, slot{const_cast<void*>(b.pointer), b.count, nullptr, true});
}
inline void bind(frame& f, const variable_info* variable, const bound_extent& b) {
    for (int v = 0; v < f.plan.count.named; ++v)
        if (f.plan.variables[v].info == variable) f.slots[v].count = b.count;
}
template <class Tag, class T>
void bind(frame& f, const variable_info* variable, const value_binding<Tag, T>& b) {
    f.set(variable, slot{nullptr, 1, &b.value, true});
}

// Values that are not bound are as their declarations say.
inline void set_initial_values(frame& f) {
    for (int v = 0; v < f.plan.count.named; ++v) {
        const variable_info& info = *f.plan.variables[v].info;
        if (info.initial && info.kind != variable_kind::scalar && !f.slots[v].bound) f.slots[v] = slot{nullptr, 1, info.initial, true};
    }
}
constexpr bool has_initial_values(const plan_view& p) {
    bool any = false;
    for (int v = 0; v < p.count.named; ++v) any |= p.variables[v].info->initial && p.variables[v].info->kind != variable_kind::scalar;
    return any;
}

// The extents of temps and of computed counts follow from the bindings.
inline void complete_extents(frame& f) {
    for (int v = 0; v < f.plan.count.named; ++v) {
        if (f.plan.variables[v].info->kind == variable_kind::scalar) f.slots[v].count = 1;
        if (f.plan.variables[v].info->like || f.plan.variables[v].info->size_by) f.slots[v].count = count_of(f, v);
    }
}

constexpr bool has_extents_to_complete(const plan_view& p) {
    for (int v = 0; v < p.count.named; ++v) {
        const variable_info& info = *p.variables[v].info;
        if (info.kind == variable_kind::temp || info.kind == variable_kind::scalar || info.size_by) return true;
    }
    return false;
}
constexpr bool has_copies(const plan_view& p) {
    for (int r = 0; r < p.count.nodes; ++r)
        if (p.nodes[r].from->traits->copies_memory) return true;
    return false;
}

// Whether anything lies in memory of the run: temps, workspaces, the states of loops, and scalars if they are not bound.
constexpr bool may_own_memory(const plan_view& p) { return p.count.variables > p.count.named || has_extents_to_complete(p); }

// The plan of E, which is Written or its lowered form. In its device pass, nvcc reads the bodies of executors but
// runs none of them, and needs no plan.
#if defined(__CUDA_ARCH__)
extern const run_plan plan_of_the_host;
template <class E, class Written = E>
run_plan plan_to_run() {
    return plan_of_the_host;
}
#else
template <class E, class Written = E>
run_plan plan_to_run() {
    run_plan run{plan_of<E>::view, lifetimes_of<E>::view};
    if constexpr (lifetimes_of<E>::items > 0) run.place_temps = &place_shared;
    if constexpr (has_initial_values(plan_of<E>::view)) run.set_initial = &set_initial_values;
    if constexpr (has_extents_to_complete(plan_of<E>::view)) run.complete_extents = &complete_extents;
    if constexpr (has_computed_values(plan_of<E>::view)) run.compute_values = &compute_values;
    if constexpr (has_copies(plan_of<E>::view)) run.check_copy = &check_box;
    if constexpr (plan_of<E>::view.count.loops > 0) run.check_limits = &check_limits;
    if constexpr (has_neighbours(plan_of<E>::view)) run.refuse_read = &refuse_read;
    if constexpr (has_shared_memory_of_groups(plan_of<E>::view)) run.shared_of_groups = &shared_of_groups;
    if constexpr (has_tiles(plan_of<E>::view)) run.shape_in_tiles = &shape_in_tiles;
    if constexpr (writes_temps_partly(Written::tree)) run.check_assignment = &check_assignment_of<Written>;
    return run;
}
#endif

// The values that an expression keeps and the bindings of one run, checked. Bindings must outlive the frame.
template <class E, class... B>
void fill_frame(frame& f, E const& e, B const&... bindings) {
    (core::bind(f, &info_of<typename B::tag>, bindings), ...);  // there is a std::bind
    addresses(e.kept, f.kept_values);
    if (f.set_initial) f.set_initial(f);
    if (f.complete_extents) f.complete_extents(f);
    if (f.compute_values) f.compute_values(f);
    check_run(f);
}

}  // namespace cograph::core
