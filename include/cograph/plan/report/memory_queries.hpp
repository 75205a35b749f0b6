// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/fill_frame.hpp>

namespace cograph::core {

// Questions about the memory that a run of an expression owns.

template <class E, class V>
constexpr auto diagnose_temp() {
    if constexpr (!variable<V>)
        return not_a_variable<V>{};
    else if constexpr (V::kind != variable_kind::temp)
        return only_temps_may_alias<V>{};
    else if constexpr (!knows_variable<E, typename V::tag>)
        return variable_is_not_in_the_expression<V>{};
    else
        return fine{};
}
template <class E, class A, class B>
constexpr auto diagnose_sharing() {
    return join(list<>{}, diagnose_temp<E, A>(), diagnose_temp<E, B>());
}

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
template <expression E, class A, class B>
    requires(!is_fine<decltype(diagnose_sharing<typename E::self, A, B>())>)
auto may_alias(const E&, A, B) -> decltype(mistake_of<struct may_alias_query, E, A, B>(diagnose_sharing<typename E::self, A, B>()));
template <class... A>
auto may_alias(A const&...) -> mistake<arguments_are_not_those_of<struct may_alias_query, A...>, struct write_may_alias_expression_and_two_temps>;

// The memory that a run with these bindings owns, as run_on and simulate lay it out: memory_usage(e, x(span), ...).bytes
template <expression E, class... B>
memory_footprint memory_usage(E const& e, B... bindings) {
    frame f(plan_to_run<typename E::self>(), e.records);
    fill_frame(f, e, bindings...);
    return use_of(f, lay_out(f));
}
template <expression E, class... B>
    requires(!can_run<typename E::self, B...>)
auto memory_usage(E const&, B...) -> decltype(mistake_of<struct memory_usage_query, E, B...>(diagnose_run<typename E::self, B...>()));
template <class... A>
auto memory_usage(A const&...) -> mistake<arguments_are_not_those_of<struct memory_usage_query, A...>, struct write_memory_usage_expression_bindings>;

}  // namespace cograph::core
