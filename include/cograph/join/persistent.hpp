// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/reason.hpp>  // first: compilers print by which files they came to it

#include <cograph.hpp>

#include <cograph/join/refused/persistent.hpp>
#include <cograph/plan/lowering/kernel_merging.hpp>
#include <cograph/plan/lowering/lower.hpp>

namespace cograph::core {

// Whether instantiate makes conditional nodes of an expression. A graph without them can be a child graph, be cloned and be instantiated
// several times; launches of it overlap with others. Extents are not known here: a loop over very many elements stays nodes, which
// executables tell.
template <expression E>
constexpr bool has_conditional_nodes(const E&) {
    return has_control(lowered<typename E::self>::tree);
}

// Returns the expression, and compiles only if all its loops are one kernel each, or the loop that a selector names.
// The error names the node at fault, its rule, and for a count the number and the limit.
template <expression E>
    requires is_fine<decltype(diagnose_persistent<typename E::self>())>
constexpr E require_persistent(const E& e) {
    return e;
}
template <expression E, class S>
    requires(!label_text<S> && is_fine<decltype(diagnose_persistent<typename E::self, S>())>)
constexpr E require_persistent(const E& e, S) {
    return e;
}

// The same of the loop with a label. A label is text, so this does not compile in a constant, and throws error elsewhere.
template <expression E, class S>
    requires label_text<S>
constexpr E require_persistent(const E& e, S label) {
    constexpr const plan_view& p = plan_of<typename E::self>::view;
    const int r = asked_node<typename E::self>(e.records, label);
    const obstacle found = obstacle_of(p, r);
    if (found.why != lowering_status::persistent) {
        const node_spec& at_fault = *p.nodes[node_of_leaf(p, found.leaf)].from;
        refuse_persistent(place_of(e.records[p.nodes[r].leaf], *p.nodes[r].from), place_of(e.records[found.leaf], at_fault), found.why, count_of(found.why, at_fault));
    }
    return e;
}

}  // namespace cograph::core

namespace cograph {

using core::has_conditional_nodes;
using core::require_persistent;

}  // namespace cograph
