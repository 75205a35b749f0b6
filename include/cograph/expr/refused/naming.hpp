// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/lists.hpp>
#include <cograph/expr/node/launch_shape.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/variable/argument.hpp>

namespace cograph::core {

// The names of nodes and variables, for sentences about them; only met on the way to an error message. All are deduced from
// the types of objects, never named through member typedefs: nvcc would print those. Each kind of node has:
//   word<Name> word_of(const Node*)           its name
//   list<A...> operands_of(const Node*)       its arguments, and its shape if that is none of them
//   list<Child...> members_of(const Node*)    the nodes that it is built of

// The node that is number Leaf of an expression in program order.
template <int Leaf, class E>
constexpr auto node_at(word<E>);
template <int Leaf, class... E>
constexpr auto node_among(list<E...> members) {
    constexpr int leaves[] = {E::leaves..., 0};
    constexpr int child = child_with(Leaf, leaves);
    return node_at<Leaf - sum_of(leaves, child)>(word_at<child>(members));
}
template <int Leaf, class E>
constexpr auto node_at(word<E> whole) {
    if constexpr (is_group(E::tree))
        return node_among<Leaf>(decltype(members_of(static_cast<const E*>(nullptr))){});
    else if constexpr (Leaf == 0)
        return whole;
    else
        return node_among<Leaf - 1>(decltype(members_of(static_cast<const E*>(nullptr))){});
}

// The name of a node.
template <class E>
constexpr auto name_of(word<E>) {
    return decltype(word_of(static_cast<const E*>(nullptr))){};
}
// That of the first node of an expression.
template <class E>
word<E> first_name(const E*);
template <expression E>
    requires(E::leaves > 0)
constexpr auto first_name(const E*) {
    return name_of(node_at<0>(word<E>{}));
}
// An argument of a call that is wrong, and all of them.
template <class Node>
constexpr word<expression_of<Node>> expression_word(word<Node>) {
    return {};
}
template <class A>
word<A> given_word(const A*);
template <expression E>
constexpr auto given_word(const E* e) {
    return expression_word(decltype(first_name(e)){});
}
template <class Function, class... Given>
constexpr arguments_are_not_those_of<Function, Given...> wrong_words(word<Given>...) {
    return {};
}
template <class Function, class... A>
constexpr auto wrong_arguments() {
    return wrong_words<Function>(decltype(given_word(static_cast<const A*>(nullptr))){}...);
}
// The mistake for an expression after another one.
template <class Node>
constexpr auto without_seq(word<Node>) {
    return seq_is_missing<Node>{};
}

// A formula in place of an argument.
template <class Operation, class... Operands>
struct formula;
template <class T>
struct formula_part;
template <class A>
inline constexpr bool is_given_formula = false;
template <class Operation, class... T>
inline constexpr bool is_given_formula<given<formula<Operation, T...>>> = true;
template <class Function, class... V>
constexpr auto formula_of(word<Function>, list<V...>) {
    return formula_is_no_argument<Function, formula_over<V...>>{};
}
template <class Function, class Formula>
constexpr auto given_formula(word<Function> function, word<given<Formula>>) {
    return formula_of(function, typename formula_part<Formula>::variables{});
}

// A formula that the host computes is named after its variables.
template <class P, class F, class... V>
struct host_value;
template <class A>
inline constexpr bool is_host_value = false;
template <class P, class F, class... V>
inline constexpr bool is_host_value<host_value<P, F, V...>> = true;
template <class A>
word<A> shown_word(const A*);
template <class P, class F, class... V>
word<formula_over<V...>> shown_word(const host_value<P, F, V...>*);

// An expression in place of an argument.
template <class A>
inline constexpr bool is_given_expression = false;
template <expression E>
inline constexpr bool is_given_expression<given<E>> = true;
template <class Function, class Node>
constexpr auto no_argument(word<Function>, word<Node>) {
    return expression_is_no_argument<Function, Node>{};
}
template <class Function, class E>
constexpr auto given_expression(word<Function> function, word<given<E>>) {
    return no_argument(function, decltype(first_name(static_cast<const E*>(nullptr))){});
}

template <class V, access_mode Access>
word<V> variable_of(const accessed<V, Access>*);
template <class V>
word<V> variable_of(const extent_t<V>*);
template <class V>
word<V> variable_of(const over_t<V>*);

// Operand I of a node.
template <class A>
const A* operand_of(word<A>);
template <int I, class E>
constexpr auto operand_at(word<E>) -> decltype(operand_of(word_at<I>(decltype(operands_of(static_cast<const E*>(nullptr))){}))) {
    return nullptr;
}

// The variable of operand I of a node.
template <int I, class E>
constexpr auto variable_at(word<E>) {
    constexpr auto of = []<class A>(word<A>) { return decltype(variable_of(static_cast<const A*>(nullptr))){}; };
    return of(word_at<I>(decltype(operands_of(static_cast<const E*>(nullptr))){}));
}

// The type of a variable's elements.
template <class Tag, class T, variable_kind Kind, class Like>
word<T> element_of(const variable_base<Tag, T, Kind, Like>*);
template <class V>
constexpr auto element_word(word<V>) {
    return decltype(element_of(static_cast<const V*>(nullptr))){};
}

// How an argument arrives at a function object.
enum class arrives_as : unsigned char { value, pointer, reference };
template <arrives_as Form, bool Const, class T>
constexpr auto arrival_of(word<T>) {
    if constexpr (Form == arrives_as::value)
        return word<T>{};
    else if constexpr (Form == arrives_as::pointer)
        return std::conditional_t<Const, word<const T*>, word<T*>>{};
    else
        return std::conditional_t<Const, word<const T&>, word<T&>>{};
}
template <class V>
inline constexpr arrives_as usual_arrival = by_value<V>                         ? arrives_as::value
                                            : V::kind == variable_kind::scalar ? arrives_as::reference
                                                                               : arrives_as::pointer;
template <class A>
    requires(!access_argument<A>)
word<A> arrival(const A*);
template <class T>
word<T> arrival(const given<T>*);
template <class V>
word<index_t> arrival(const extent_t<V>*);
template <class P, class F, class... V>
word<P> arrival(const host_value<P, F, V...>*);
template <class V, access_mode Access>
constexpr auto arrival(const accessed<V, Access>*) {
    return arrival_of<usual_arrival<V>, !writes(Access)>(element_word(word<V>{}));
}
template <class M>
constexpr auto arrival(const each_of<M>*) {
    return arrival_of<arrives_as::reference, !writes(M::describe.access)>(element_word(decltype(variable_of(static_cast<const M*>(nullptr))){}));
}

}  // namespace cograph::core
