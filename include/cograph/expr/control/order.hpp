// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/expr/refused/control/order.hpp>

#include <concepts>
#include <cstdio>

namespace cograph::core {

template <class... E>
constexpr sequence<E...> seq(E const&... e) {
    sequence<E...> whole{{}, family<E...>::keep(e...)};  // as make_group does, without one function more in every program
    family<E...>::gather(whole.records, e...);
    return whole;
}

// Branches in any order, even at once: a variable that one of them writes may be used in no other.
template <class... E>
    requires is_fine<decltype(diagnose_branches<E...>())>
constexpr parallel<E...> par(E const&... e) {
    return make_group<group_kind::parallel>(e...);
}

constexpr bool has_nodes(const node_spec& tree) {
    bool has = !is_group(tree);
    for (int i = 0; !has && i < tree.child_count; ++i) has = has_nodes(*tree.children[i]);
    return has;
}
// The first leaf that is a node of the user's.
constexpr int first_named(const node_spec& tree) {
    if (!is_group(tree)) return 0;
    int i = 0;
    while (i < tree.child_count && !has_nodes(*tree.children[i])) ++i;
    if (i == tree.child_count) return 0;
    const node_spec& first = *tree.children[i];
    return first.passes ? first.child_count : first_named(first);
}

// Whether the user wrote a tree as seq or par: a loop or branch after the passes of its predicate is not one.
constexpr bool is_users_group(const node_spec& tree) {
    if (tree.as_nodes || tree.host_driven) return is_users_group(*tree.children[0]);
    return is_group(tree) && !(tree.child_count > 0 && tree.children[0]->passes);
}

// No constant can be made of such an expression.
[[noreturn]] inline void refuse_second_label(const record& of, const char* text) {
    char what[256];
    std::snprintf(what, sizeof what, "would be renamed by label(\"%s\", ...), which names the first node of a seq or par: a node has one label", text);
    throw error({of.label, of.file, of.line}, what);
}

// Names the first node of an expression in pictures and errors: label("spmv", node). The text is borrowed. A second
// label of a node replaces the first; throws error if it would replace that of a seq or par.
template <std::convertible_to<const char*> Text, expression E>
constexpr E label(Text text, E e) {
    record& named = e.records[first_named(E::tree)];
    if (is_users_group(E::tree) && named.label) refuse_second_label(named, text);
    named.label = text;
    return e;
}

}  // namespace cograph::core
