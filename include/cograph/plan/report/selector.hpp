// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/kernel.hpp>
#include <cograph/plan/tables/plan.hpp>

namespace cograph::core {

// How nodes of an expression are named.

// Selects the node at a position in program order; loops and branches count, and come before their bodies.
template <int N>
struct at_t {
    static constexpr bool matches(const plan_node& r) { return r.position == N; }
};
template <int N>
inline constexpr at_t<N> at{};

// Selects the node whose function object is of type F.
template <class F>
struct calls_t {
    static constexpr bool matches(const plan_node& r) { return r.from->identity == &identity_of_type<F>; }
};
template <class F>
inline constexpr calls_t<F> calls{};

template <class S>
constexpr bool selects(S, const plan_node& r) {
    return r.kind != plan_node_kind::condition && r.copy == 0 && S::matches(r);
}
template <auto F, auto Host>
constexpr bool selects(kernel_t<F, Host>, const plan_node& r) {
    return r.kind == plan_node_kind::work && r.copy == 0 && r.from->identity == &identity_of_function<F>;
}

// How many nodes a selector selects, and the node of the last.
struct selection_result {
    int count = 0, node = 0;
};
template <class E, class S>
constexpr selection_result select() {
    const plan_view& p = plan_of<E>::view;
    selection_result found;
    for (int r = 0; r < p.count.nodes; ++r)
        if (selects(S{}, p.nodes[r])) found = {found.count + 1, r};
    return found;
}

}  // namespace cograph::core
