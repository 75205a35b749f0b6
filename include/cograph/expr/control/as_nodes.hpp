// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/order.hpp>

namespace cograph::core {

// An expression whose loops, and those around it, are not to become persistent kernels.
template <class E>
struct node_region {
    using self = node_region;
    using children = list<typename E::self>;
    using codes = list<>;
    using members = family<E>;
    using kept_type = typename members::kept_type;
    static constexpr int leaves = members::leaves;
    static constexpr node_spec tree{.kind = spec_kind::sequence, .name = {"as_nodes"}, .children = members::trees, .child_count = 1, .as_nodes = true};
    record records[leaves > 0 ? leaves : 1];
    [[no_unique_address]] kept_type kept;
};

template <class E>
list<E> members_of(const node_region<E>*);

// The same expression, a node of the graph for each of its nodes. It may be a part, as_nodes(loop_while(...)), or the whole,
// instantiate(as_nodes(e), ...).
template <expression E>
constexpr node_region<E> as_nodes(E const& e) {
    node_region<E> region{{}, family<E>::keep(e)};
    family<E>::gather(region.records, e);
    return region;
}

}  // namespace cograph::core
