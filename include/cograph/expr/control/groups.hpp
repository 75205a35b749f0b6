// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/core/naming.hpp>

namespace cograph::core {

// Expressions that are built of others.

// What a loop, a branch or a group of expressions knows of its children.
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

// Program order: as if each ran after the one before. The plan keeps only the order that accesses need.
template <class... E>
struct sequence {
    using self = sequence;
    using children = list<typename E::self...>;
    using codes = list<>;
    using members = family<E...>;
    using kept_type = typename members::kept_type;
    static constexpr int leaves = members::leaves;
    static constexpr node_spec tree{.kind = spec_kind::sequence, .name = {"seq"}, .children = members::trees, .child_count = members::count};
    record records[leaves > 0 ? leaves : 1];
    [[no_unique_address]] kept_type kept;
};

// Independence: the same, and no two branches may conflict.
template <class... E>
struct parallel {
    using self = parallel;
    using children = list<typename E::self...>;
    using codes = list<>;
    using members = family<E...>;
    using kept_type = typename members::kept_type;
    static constexpr int leaves = members::leaves;
    static constexpr node_spec tree{.kind = spec_kind::parallel, .name = {"par"}, .children = members::trees, .child_count = members::count};
    record records[leaves > 0 ? leaves : 1];
    [[no_unique_address]] kept_type kept;
};

// The passes of a predicate: they come before it, and count as no node of the user's.
template <class... Node>
struct array_passes {
    using self = array_passes;
    using children = list<Node...>;
    using codes = list<>;
    using members = family<Node...>;
    using kept_type = typename members::kept_type;
    static constexpr int leaves = members::leaves;
    static constexpr node_spec tree{
        .kind = spec_kind::sequence, .name = {"seq"}, .children = members::trees, .child_count = members::count, .passes = true};
    record records[leaves];
    [[no_unique_address]] kept_type kept;
};
template <class... Node>
list<Node...> members_of(const array_passes<Node...>*);

template <class... Node>
constexpr array_passes<Node...> gather_passes(Node const&... node) {
    array_passes<Node...> all{{}, family<Node...>::keep(node...)};
    family<Node...>::gather(all.records, node...);
    return all;
}

template <class... E>
list<E...> members_of(const sequence<E...>*);
template <class... E>
list<E...> members_of(const parallel<E...>*);

}  // namespace cograph::core
