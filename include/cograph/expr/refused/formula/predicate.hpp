// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/formula.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/refused/function/calls.hpp>

namespace cograph::core {

// Refused predicates, and other arguments in their place.

template <class F, class A>
constexpr auto only_reads(word<A>) {
    return predicate_only_reads<F, A>{};
}
template <class F, class... A>
constexpr auto diagnose_test() {
    constexpr int writing = first_true<writes(A::describe.access)...>();
    if constexpr (writing < static_cast<int>(sizeof...(A)))
        return only_reads<F>(word_at<writing>(list<A...>{}));
    else
        return diagnose_one_call<F, -1, A...>();
}

template <class... A>
struct condition;
template <class F>
struct predicate_builder;

// A formula's variables are parameters too; all of their names would be a long word for it.
template <class P>
inline constexpr int variables_in_formula = 0;
template <class Operation, class... T>
inline constexpr int variables_in_formula<formula<Operation, T...>> = formula_part<formula<Operation, T...>>::function::arity;
struct formula_of_a_predicate;
template <int Count>
constexpr auto diagnose_formula_size() {
    if constexpr (Count > most_arguments)
        return too_many_parameters<formula_of_a_predicate, takes_parameters<Count>, limit_is<most_arguments>>{};
    else
        return fine{};
}

// Arguments that a user may have meant as a predicate, or put into its place.
template <class P>
constexpr not_a_predicate<P> why_no_predicate(const P*) {
    return {};
}
template <class N>
constexpr auto no_predicate(word<N>) {
    return expression_in_place_of_a_predicate<N>{};
}
template <expression E>
constexpr auto why_no_predicate(const E* e) {
    return no_predicate(first_name(e));
}
template <class F>
constexpr arguments_are_missing<F> why_no_predicate(const predicate_builder<F>*) {
    return {};
}
template <class F, class... V>
formula_has_a_value_for_each_element<V...> why_no_predicate(const computation<F, V...>*);
template <class Operation, class... T>
auto why_no_predicate(const formula<Operation, T...>*) -> decltype(why_no_predicate(static_cast<const computation_t<formula<Operation, T...>>*>(nullptr)));
template <array_variable V>
formula_has_a_value_for_each_element<V> why_no_predicate(const V*);

// A formula in place of a variable that counts elements.
template <class F, class... V>
does_not_count_elements<formula_over<V...>> why_no_count(const computation<F, V...>*);
template <class Operation, class... T>
auto why_no_count(const formula<Operation, T...>*) -> decltype(why_no_count(static_cast<const computation_t<formula<Operation, T...>>*>(nullptr)));

// And a predicate in the place of an expression.
template <class F, class... V>
predicate_in_place_of_an_expression<formula_over<V...>> why_no_expression(const computation<F, V...>*);
template <class Operation, class... T>
auto why_no_expression(const formula<Operation, T...>*) -> decltype(why_no_expression(static_cast<const computation_t<formula<Operation, T...>>*>(nullptr)));
template <class F, class... A>
predicate_in_place_of_an_expression<F> why_no_expression(const condition<given<F>, A...>*);
template <class F>
predicate_in_place_of_an_expression<F> why_no_expression(const predicate_builder<F>*);

template <class... A>
auto predicate(A const&...) -> mistake<arguments_are_not_those_of<struct predicate_call, A...>, struct write_predicate_function_and_then_the_arguments>;

}  // namespace cograph::core
