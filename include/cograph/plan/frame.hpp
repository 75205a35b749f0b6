// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/arena.hpp>
#include <cograph/plan/check.hpp>
#include <cograph/plan/diagnose.hpp>

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

// The extents of temps follow from the bindings.
inline void complete_extents(frame& f) {
    for (int v = 0; v < f.plan.count.named; ++v) {
        if (f.plan.variables[v].info->kind == variable_kind::scalar) f.slots[v].count = 1;
        if (f.plan.variables[v].info->like || f.plan.variables[v].info->size_by) f.slots[v].count = count_of(f, v);
    }
}

// The values that an expression keeps and the bindings of one run, checked. Bindings must outlive the frame.
template <class E, class... B>
void fill_frame(frame& f, E const& e, B const&... bindings) {
    (core::bind(f, &info_of<typename B::tag>, bindings), ...);  // there is a std::bind
    addresses(e.kept, f.payloads);
    complete_extents(f);
    check_run(f);
}

}  // namespace cograph::core
