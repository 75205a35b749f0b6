// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/arena.hpp>
#include <cograph/plan/check.hpp>
#include <cograph/plan/diagnose.hpp>

namespace cograph::core {

template <class Tag, class T>
void bind(frame& f, const range_binding<Tag, T>& b) {
    f.set(&info_of<Tag>, slot{const_cast<std::remove_const_t<T>*>(b.pointer), b.count, nullptr, true});
}
template <class Tag, class T>
void bind(frame& f, const value_binding<Tag, T>& b) {
    f.set(&info_of<Tag>, slot{nullptr, 1, &b.value, true});
}
template <class Tag>
void bind(frame& f, const extent_binding<Tag>& b) {
    f.set(&info_of<Tag>, slot{nullptr, b.count, nullptr, false});
}

// The extents of temps follow from the bindings.
inline void complete_extents(frame& f) {
    for (int v = 0; v < f.plan.count.named; ++v) {
        if (f.plan.variables[v].info->kind == variable_kind::scalar) f.slots[v].count = 1;
        if (f.plan.variables[v].info->like) f.slots[v].count = count_of(f, v);
    }
}

// The values that an expression keeps and the bindings of one run, checked. Bindings must outlive the frame.
template <class E, class... B>
void fill_frame(frame& f, E const& e, B const&... bindings) {
    (bind(f, bindings), ...);
    addresses(e.kept, f.payloads.begin());
    complete_extents(f);
    check_run(f);
}

}  // namespace cograph::core
