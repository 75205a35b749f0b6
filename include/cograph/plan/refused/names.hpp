// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_shape.hpp>
#include <cograph/expr/node/computed_count.hpp>
#include <cograph/expr/refused/naming.hpp>
#include <cograph/expr/variable/temp_size.hpp>
#include <cograph/plan/bind/binding_rules.hpp>

namespace cograph::core {

// The names of variables and bindings that break a rule of plans, and several reasons as one.

// The first of the variables of a temp's size through which the temp takes the extent of another variable; -1: none.
constexpr bool takes_extent(const variable_info* from, const variable_info* to);
constexpr int source_towards(const variable_info* from, const variable_info* to) {
    if (from->like && takes_extent(from->like, to)) return 0;
    for (int i = 0; from->size_by && i < from->size_by->variable_count; ++i)
        if (takes_extent(from->size_by->variables[i], to)) return i;
    return -1;
}
constexpr bool takes_extent(const variable_info* from, const variable_info* to) { return from == to || source_towards(from, to) >= 0; }

// A node that uses a variable, as which of its operands, or a temp that takes its extent; of a formula that the host computes, as
// which of those that it is over.
struct use_place {
    int leaf = 0, operand = 0;
    int part = -1;
};
constexpr use_place find_use(const plan_view& p, const variable_info* variable) {
    for (int r = 0; r < p.count.nodes; ++r) {
        const node_spec& from = *p.nodes[r].from;
        for (int i = 0; i <= from.argument_count; ++i) {
            const argument& a = i < from.argument_count ? from.arguments[i] : from.domain;
            if (a.variable && takes_extent(a.variable, variable)) return {p.nodes[r].leaf, i};
            for (int v = 0; a.value && v < a.value->variable_count; ++v)
                if (takes_extent(a.value->variables[v], variable)) return {p.nodes[r].leaf, i, v};
        }
    }
    return {};
}

template <int Parts, class... V>
list<V...> variables_of(const size_formula<Parts, V...>*);
template <class Tag, class T, class Like>
list<Like> sources_of(const temp<Tag, T, Like>*);
template <class Tag, class T, auto Size>
auto sources_of(const temp<Tag, T, elements<Size, fine>>*) -> decltype(variables_of(&elements<Size, fine>::size));
template <auto Size>
auto sources_of(const computed_count<Size>*) -> decltype(variables_of(&elements<Size>::size));
// The sides of a box that are variables.
template <index_t Size>
list<> side_word(word<constant_side<Size>>);
list<> side_word(word<patch_mark>);
template <class V>
list<V> side_word(word<V>);
template <class... Side>
auto sources_of(const box_count<Side...>*) -> decltype((side_word(word<Side>{}) + ...));
template <const variable_info* To, class V>
constexpr auto source_word(word<V> name) {
    if constexpr (&info_of<V> == To)
        return name;
    else
        return source_word<To>(word_at<source_towards(&info_of<V>, To)>(decltype(sources_of(static_cast<const V*>(nullptr))){}));
}

template <class P, class F, class... V>
list<V...> parts_of(const host_value<P, F, V...>*);
template <class V>
constexpr auto counted_word(word<V>) {
    return decltype(counted_by(static_cast<const V*>(nullptr))){};
}
template <use_place Use, class E>
constexpr auto used_word(word<E> node) {
    if constexpr (Use.part < 0)
        return variable_at<Use.operand>(node);
    else
        return counted_word(word_at<Use.part>(decltype(parts_of(operand_at<Use.operand>(node))){}));
}

// The name of variable number V of an expression.
template <class E, int V>
constexpr auto name_of_variable() {
    constexpr const variable_info* info = plan_of<E>::view.variables[V].info;
    constexpr use_place use = find_use(plan_of<E>::view, info);
    return source_word<info>(used_word<use>(node_at<use.leaf>(word<E>{})));
}

template <class Tag, class T>
word<Tag> tag_of(const range_binding<Tag, T>*);
template <class Tag, class T>
word<Tag> tag_of(const value_binding<Tag, T>*);
template <class Tag>
word<Tag> tag_of(const extent_binding<Tag>*);
template <class B>
constexpr auto name_of_binding(word<B>) {
    return decltype(tag_of(static_cast<const B*>(nullptr))){};
}

template <template <class...> class Reason, class... V>
constexpr auto about(list<V...>) {
    if constexpr (sizeof...(V) == 0)
        return fine{};
    else
        return Reason<V...>{};
}

// The names of all variables or bindings that break a rule, from the first on.
template <class E, class Bound, int V, class... Found>
constexpr auto unbound_names(list<Found...> found) {
    if constexpr (V < 0)
        return found;
    else
        return unbound_names<E, Bound, first_unbound(plan_of<E>::view, Bound::view, V + 1)>(found + name_of_variable<E, V>());
}
template <class E, auto First, int B, class... Bindings, class... Found>
constexpr auto binding_names(list<Bindings...> all, list<Found...> found) {
    if constexpr (B < 0)
        return found;
    else
        return binding_names<E, First, First(plan_of<E>::view, bindings_of<Bindings...>::view, B + 1)>(
            all, found + name_of_binding(word_at<B>(all)));
}
template <template <class...> class Reason, class E, auto First, class... B>
constexpr auto diagnose_bindings(list<B...> all) {
    return about<Reason>(binding_names<E, First, First(plan_of<E>::view, bindings_of<B...>::view, 0)>(all, list<>{}));
}

// All reasons together.
template <class... R>
constexpr auto join(list<R...>) {
    if constexpr (sizeof...(R) == 0)
        return fine{};
    else
        return several<R...>{};
}
template <class R>
constexpr R join(list<R>) {
    return {};
}
template <class... R, class First, class... Rest>
constexpr auto join(list<R...> so_far, First, Rest... rest) {
    if constexpr (is_fine<First>)
        return join(so_far, rest...);
    else
        return join(list<R..., First>{}, rest...);
}

}  // namespace cograph::core
