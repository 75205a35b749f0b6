// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/order.hpp>

namespace cograph::core {

// The same expression, a node of the graph for each of its nodes. It may be a part, as_nodes(loop_while(...)), or the whole,
// instantiate(as_nodes(e), ...).
template <expression E>
constexpr group<group_kind::as_nodes, E> as_nodes(E const& e) {
    return make_group<group_kind::as_nodes>(e);
}

}  // namespace cograph::core
