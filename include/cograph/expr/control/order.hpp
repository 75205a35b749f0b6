// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/expr/control/races.hpp>
#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/core/naming.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>

#include <concepts>
#include <cstdio>

namespace cograph::core {

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

// What a user may have meant as an expression.
template <class T>
constexpr not_an_expression<T> why_no_expression(const T*) {
    return {};
}

template <class... E>
concept all_expressions = requires { typename list<typename E::self...>; };

template <class E>
constexpr auto why_none(word<E>) {
    return decltype(why_no_expression(static_cast<const E*>(nullptr))){};
}
template <class... E>
constexpr auto diagnose_members() {
    constexpr int first = first_true<!expression<E>...>();
    if constexpr (first == sizeof...(E))
        return fine{};
    else
        return why_none(word_at<first>(list<E...>{}));
}

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

template <class... E>
constexpr sequence<E...> seq(E const&... e) {
    sequence<E...> whole{{}, family<E...>::keep(e...)};
    family<E...>::gather(whole.records, e...);
    return whole;
}
template <class... E>
    requires(!all_expressions<E...>)
auto seq(E const&...) -> decltype(mistake_of<struct seq_call, E...>(diagnose_members<E...>()));

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

// Whether the branches of par are independent.
template <int First, int Second, class A, class B, class V>
constexpr auto race_between(word<A>, word<B>, word<V>) {
    return branches_race_on<V, in_branch<First + 1, A>, in_branch<Second + 1, B>>{};
}
template <class... E>
    requires(first_true<!expression<E>...>() == sizeof...(E))
constexpr auto diagnose_branches() {
    constexpr race conflict = find_race<count_accesses(family<E...>::trees, sizeof...(E))>(family<E...>::trees, sizeof...(E));
    if constexpr (conflict.found) {
        constexpr auto first = node_among<conflict.first.leaf>(list<E...>{});
        constexpr auto second = node_among<conflict.second.leaf>(list<E...>{});
        return race_between<conflict.first.branch, conflict.second.branch>(name_of(first), name_of(second),
                                                                           variable_at<conflict.first.argument>(first));
    } else {
        return fine{};
    }
}
template <class... E>
constexpr auto diagnose_branches() {
    return diagnose_members<E...>();
}

// Branches in any order, even at once: a variable that one of them writes may be used in no other.
template <class... E>
    requires is_fine<decltype(diagnose_branches<E...>())>
constexpr parallel<E...> par(E const&... e) {
    parallel<E...> whole{{}, family<E...>::keep(e...)};
    family<E...>::gather(whole.records, e...);
    return whole;
}
template <class... E>
    requires(!is_fine<decltype(diagnose_branches<E...>())>)
auto par(E const&...) -> decltype(mistake_of<struct par_call, E...>(diagnose_branches<E...>()));
template <class... A>
auto par(A const&...) -> mistake<arguments_are_not_those_of<struct par_call, A...>, struct write_par_and_its_branches>;

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

template <class Given>
constexpr auto wrong_text(word<Given>) {
    return text_of_a_label_is_no_const_char_pointer<Given>{};
}
template <class Node>
constexpr auto swapped_label(word<Node>) {
    return text_and_expression_are_swapped<Node>{};
}

// Whether the user wrote a tree as seq or par: a loop or branch behind the passes of its predicate is none to him.
constexpr bool is_users_group(const node_spec& tree) {
    if (tree.as_nodes) return is_users_group(*tree.children[0]);
    return is_group(tree) && !(tree.child_count > 0 && tree.children[0]->passes);
}

// No constant can be made of such an expression.
[[noreturn]] inline void refuse_second_label(const record& of, const char* text) {
    char what[256];
    std::snprintf(what, sizeof what, "would be renamed by label(\"%s\", ...), which names the first node of a seq or par: a node has one label", text);
    throw error({of.label, of.file, of.line}, what);
}

// Names the first node of an expression in pictures and errors: label("spmv", node). The text is borrowed. A node that has a label
// gets another one by itself; throws error where that of a seq or par would take its place.
template <std::convertible_to<const char*> Text, expression E>
constexpr E label(Text text, E e) {
    record& named = e.records[first_named(E::tree)];
    if (is_users_group(E::tree) && named.label) refuse_second_label(named, text);
    named.label = text;
    return e;
}
template <std::convertible_to<const char*> Text, class E>
    requires(!expression<E>)
auto label(Text, E) -> decltype(mistake_of<struct label_call, Text, E>(why_no_expression(static_cast<const E*>(nullptr))));
template <std::convertible_to<const char*> Text, class E, expression Second, class... More>
auto label(Text, E const&, Second const& second, More const&...) -> decltype(mistake_of<struct label_call, Text, E, Second, More...>(without_seq(first_name(&second))));
template <expression E, std::convertible_to<const char*> Text>
auto label(E const& e, Text) -> decltype(mistake_of<struct label_call, E, Text>(swapped_label(first_name(&e))));
template <class Text, expression E>
    requires(!std::convertible_to<Text, const char*>)
auto label(Text const& text, E const&) -> decltype(mistake_of<struct label_call, Text, E>(wrong_text(given_word(&text))));
template <class... A>
auto label(A const&...) -> mistake<arguments_are_not_those_of<struct label_call, A...>, struct write_label_text_expression>;

}  // namespace cograph::core
