// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/core/lists.hpp>

namespace cograph::core {

// Expressions that are built of others.

// The facts about the children of a loop, a branch or a group of expressions.
template <class... E>
struct family {
    static constexpr int count = sizeof...(E);
    static constexpr int sizes[count + 1] = {E::leaves..., 0};
    static constexpr int leaves = sum_of(sizes, count);
    static constexpr const node_spec* trees[count + 1] = {&E::tree..., nullptr};
    using kept_type = kept_pieces<typename E::kept_type...>;

    static constexpr void gather(record* to, E const&... e) {
        const record* const from[] = {e.records..., nullptr};
        for (int i = 0; i < count; ++i) to = append(to, from[i], sizes[i]);
    }
    static constexpr kept_type keep(E const&... e) {
        if constexpr (std::is_same_v<kept_type, nothing>)
            return {};
        else
            return chain(e.kept...);
    }
};

enum class group_kind : unsigned char {
    sequence,  // program order: as if each ran after the one before. The plan keeps only the order that accesses need
    parallel,  // independence: the same, and no two branches may conflict
    passes,    // over arrays, which a predicate makes: they come before it, and count as no node of the user's
    as_nodes,  // loops in it, and those around it, are not to become persistent kernels
    host_driven  // the body of a loop or branch that the host decides about
};

// Expressions side by side.
template <group_kind Kind, class... E>
struct group {
    using self = group;
    using children = list<typename E::self...>;
    using codes = list<>;
    using members = family<E...>;
    using kept_type = typename members::kept_type;
    static constexpr int leaves = members::leaves;
    static constexpr node_spec tree{.kind = Kind == group_kind::parallel ? spec_kind::parallel : spec_kind::sequence,
                                    .name = {Kind == group_kind::parallel ? "par" : Kind == group_kind::as_nodes ? "as_nodes" : Kind == group_kind::host_driven ? "host_driven" : "seq"},
                                    .children = members::trees,
                                    .child_count = members::count,
                                    .passes = Kind == group_kind::passes,
                                    .as_nodes = Kind == group_kind::as_nodes,
                                    .host_driven = Kind == group_kind::host_driven};
    record records[leaves > 0 ? leaves : 1];
    [[no_unique_address]] kept_type kept;
};
template <class... E>
using sequence = group<group_kind::sequence, E...>;
template <class... E>
using parallel = group<group_kind::parallel, E...>;
template <class... E>
using array_passes = group<group_kind::passes, E...>;

template <group_kind Kind, class... E>
list<E...> members_of(const group<Kind, E...>*);

template <group_kind Kind, class... E>
constexpr group<Kind, E...> make_group(E const&... e) {
    group<Kind, E...> whole{{}, family<E...>::keep(e...)};
    family<E...>::gather(whole.records, e...);
    return whole;
}

}  // namespace cograph::core
