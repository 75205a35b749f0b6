// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/legality.hpp>
#include <cograph/expr/payload.hpp>

namespace cograph {

constexpr int sum_of(const int* counts, int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += counts[i];
    return sum;
}

// What a loop, a branch or a group of expressions knows of its children.
template <class... E>
struct family {
    static constexpr int count = sizeof...(E);
    static constexpr int sizes[count + 1] = {E::leaves..., 0};
    static constexpr int leaves = sum_of(sizes, count);
    static constexpr const seed* trees[count + 1] = {&E::tree..., nullptr};
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
    static constexpr seed tree{.kind = seed_kind::sequence, .name = {"seq"}, .children = members::trees, .child_count = members::count};
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
    static constexpr seed tree{.kind = seed_kind::parallel, .name = {"par"}, .children = members::trees, .child_count = members::count};
    record records[leaves > 0 ? leaves : 1];
    [[no_unique_address]] kept_type kept;
};

template <class... E>
constexpr sequence<E...> seq(E const&... e) {
    sequence<E...> whole{{}, family<E...>::keep(e...)};
    family<E...>::gather(whole.records, e...);
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
    static constexpr race conflict = find_race<count_accesses(family<E...>::trees, sizeof...(E))>(family<E...>::trees, sizeof...(E));
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

template <class... E>
constexpr parallel<E...> par(E const&... e) {
    static_cast<void>(require<typename diagnose_branches<E...>::type>{});
    parallel<E...> whole{{}, family<E...>::keep(e...)};
    family<E...>::gather(whole.records, e...);
    return whole;
}

// Names the first node of an expression in pictures and errors: label("spmv", node). The text is borrowed.
template <expression E>
constexpr E label(const char* text, E e) {
    e.records[0].label = text;
    return e;
}

}  // namespace cograph
