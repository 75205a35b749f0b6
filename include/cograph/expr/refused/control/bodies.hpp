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
// Only cograph/host_driven.hpp makes such loops and branches, and it takes what holds one.
struct host_drives_a_part {};
template <class... Bodies>
constexpr auto diagnose_in_bodies() {
    constexpr int found = find_root_node(family<Bodies...>::trees, sizeof...(Bodies));
    if constexpr ((is_host_driven_body(Bodies::tree) || ...))
        return fine{};
    else if constexpr (found < 0 && (has_host_driven(Bodies::tree) || ...))
        return host_drives_a_part{};
    else if constexpr (found < 0)
        return fine{};
    else
        return not_in_a_body(node_among<found>(list<Bodies...>{}), name_of(node_among<found>(list<Bodies...>{})));
}

}  // namespace cograph::core
