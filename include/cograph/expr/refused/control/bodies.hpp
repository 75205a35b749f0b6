// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/groups.hpp>
#include <cograph/expr/control/races.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>

namespace cograph::core {

// Nodes that no body may hold.
template <class Node, class Name>
constexpr typename Node::template reason_in_a_body<Name> not_in_a_body(word<Node>, word<Name>) {
    return {};
}
template <class... Bodies>
constexpr auto diagnose_in_bodies() {
    constexpr int found = find_root_node(family<Bodies...>::trees, sizeof...(Bodies));
    if constexpr (found < 0 && (has_host_driven(Bodies::tree) || ...))
        return host_driven_loop_is_in_a_body{};
    else if constexpr (found < 0)
        return fine{};
    else
        return not_in_a_body(node_among<found>(list<Bodies...>{}), name_of(node_among<found>(list<Bodies...>{})));
}

}  // namespace cograph::core
