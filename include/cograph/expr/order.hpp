// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/legality.hpp>
#include <cograph/expr/payload.hpp>

namespace cograph {

template <class... E>
constexpr int leaves_of() {
    constexpr int counts[] = {E::leaves..., 0};
    int total = 0;
    for (int count : counts) total += count;
    return total;
}

template <class... E>
inline constexpr const seed* trees_of[sizeof...(E) + 1] = {&E::tree..., nullptr};

// Program order: as if each ran after the one before. The plan keeps only the order that accesses need.
template <class... E>
struct sequence {
    using self = sequence;
    using children = list<typename E::self...>;
    using codes = list<>;
    using kept_type = kept_pieces<typename E::kept_type...>;
    static constexpr int leaves = leaves_of<E...>();
    static constexpr seed tree{.kind = seed_kind::sequence, .name = "seq", .children = trees_of<E...>, .child_count = sizeof...(E)};
    record records[leaves > 0 ? leaves : 1];
    [[no_unique_address]] kept_type kept;
};

// Independence: the same, and no two branches may conflict.
template <class... E>
struct parallel {
    using self = parallel;
    using children = list<typename E::self...>;
    using codes = list<>;
    using kept_type = kept_pieces<typename E::kept_type...>;
    static constexpr int leaves = leaves_of<E...>();
    static constexpr seed tree{.kind = seed_kind::parallel, .name = "par", .children = trees_of<E...>, .child_count = sizeof...(E)};
    record records[leaves > 0 ? leaves : 1];
    [[no_unique_address]] kept_type kept;
};

// Gathers the records of a pack of expressions behind `to`.
template <class... E>
constexpr void gather(record* to, E const&... e) {
    const record* from[] = {e.records..., nullptr};
    constexpr int counts[] = {E::leaves..., 0};
    for (int i = 0; i < static_cast<int>(sizeof...(E)); ++i) to = append(to, from[i], counts[i]);
}

template <expression... E>
constexpr sequence<E...> seq(E const&... e) {
    sequence<E...> whole{{}, keep_pieces(e.kept...)};
    gather(whole.records, e...);
    return whole;
}

// The variable of argument I of a node.
template <class Node, int I>
struct argument_variable {
    template <class... A>
    static pick_type<I, A...> pick(list<A...>);
    using type = typename decltype(pick(typename Node::arguments{}))::type::variable::tag;
};

// Whether the branches of par are independent.
template <class... E>
struct diagnose_branches {
    static constexpr race conflict = find_race<count_accesses(trees_of<E...>, sizeof...(E))>(trees_of<E...>, sizeof...(E));
    template <bool Found>
    static constexpr auto name() {
        if constexpr (Found) {
            using first = typename leaf_type<parallel<E...>, conflict.first.leaf>::type;
            using second = typename leaf_type<parallel<E...>, conflict.second.leaf>::type;
            using variable = typename argument_variable<first, conflict.first.argument>::type;
            return branches_race_on<variable, first, second>{};
        } else {
            return fine{};
        }
    }
    using type = decltype(name<conflict.found>());
};

template <expression... E>
constexpr parallel<E...> par(E const&... e) {
    static_cast<void>(require<typename diagnose_branches<E...>::type>{});
    parallel<E...> whole{{}, keep_pieces(e.kept...)};
    gather(whole.records, e...);
    return whole;
}

// Names the first node of an expression in pictures and errors: label("spmv", node). The text is borrowed.
template <expression E>
constexpr E label(const char* text, E e) {
    e.records[0].label = text;
    return e;
}

}  // namespace cograph
