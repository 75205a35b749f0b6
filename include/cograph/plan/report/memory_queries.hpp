// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/fill_frame.hpp>
#include <cograph/plan/refused/memory_queries.hpp>

namespace cograph::core {

// Questions about the memory that a run of an expression owns.

constexpr int item_of(const plan_view& p, const lifetime_view& items, const variable_info* variable) {
    int item = 0;
    while (p.variables[items.variables[item]].info != variable) ++item;
    return item;
}

// Whether two temps are never in use at once, so that they may lie in one place. As run_on and simulate run the expression: a
// persistent kernel uses all its temps at once.
template <expression E, class A, class B>
    requires is_fine<decltype(diagnose_sharing<typename E::self, A, B>())>
constexpr bool may_alias(const E&, A, B) {
    using plan = plan_of<typename E::self>;
    constexpr const lifetime_view& items = lifetimes_of<typename E::self>::view;
    return !items.conflict(item_of(plan::view, items, &info_of<typename A::tag>), item_of(plan::view, items, &info_of<typename B::tag>));
}

// The memory that a run with these bindings owns, as run_on and simulate lay it out: memory_usage(e, x(span), ...).bytes
template <expression E, class... B>
memory_footprint memory_usage(E const& e, B... bindings) {
    frame f(plan_to_run<typename E::self>(), e.records);
    fill_frame(f, e, bindings...);
    return use_of(f, lay_out(f));
}

}  // namespace cograph::core
