// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/lowering_queries.hpp>
#include <cograph/run/graph/executable.cuh>
#include <cograph/run/refused/lowering_queries.hpp>

namespace cograph::core {

// The same questions as of an expression, with the extents of instantiate: a loop that runs over too many elements is no kernel.
template <class E, class S>
    requires(label_text<S> || selectable<E, S>)
lowering_status why_not_persistent(const executable<E>& exec, S asked) {
    const frame& made = exec.state().f;
    return status_in(made.plan, plan_of<E>::view, asked_node<E>(made.records, asked));
}

template <class E, class S>
    requires(label_text<S> || selectable<E, S>)
bool is_persistent(const executable<E>& exec, S asked) {
    return why_not_persistent(exec, asked) == lowering_status::persistent;
}

}  // namespace cograph::core
