// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/all_but_operators.hpp>

// Loops that the host drives. cograph/host_driven.cuh instantiates them.

namespace cograph::core {

// The body of a loop that the host drives: loop_while(rr > tol, host_driven(seq(...)), check_every<8>). Its
// iterations are a graph, and the host reads the predicate after them. It may contain nodes that no conditional node
// may hold: host functions, events, copies of pageable memory, and calls that put host work into a capture. Loops in
// it that can stay on the device do.
template <expression E>
    requires(E::leaves > 0)
constexpr group<group_kind::host_driven, E> host_driven(E const& e) {
    return make_group<group_kind::host_driven>(e);
}
template <class E>
    requires(!expression<E>)
auto host_driven(E const&) -> decltype(mistake_of<struct host_driven_call, E>(why_no_expression(static_cast<const E*>(nullptr))));

}  // namespace cograph::core

namespace cograph {

using core::host_driven;

}  // namespace cograph
