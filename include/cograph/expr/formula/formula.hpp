// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/lists.hpp>
#include <cograph/expr/formula/computation.hpp>
#include <cograph/expr/variable/argument.hpp>

namespace cograph::core {

// A formula as it is written: an operation over variables, constants and formulas. One without operands is the result of a
// pass over an array, and the pass stands in the operation's place.
template <class Operation, class... Operands>
struct formula;
template <class Operation, class L, class R>
struct formula<Operation, L, R> : operand<0, L>, operand<1, R> {};
template <class Operation, class L>
struct formula<Operation, L> : operand<0, L> {};
template <class Pass>
struct formula<Pass> : operand<0, Pass> {};

// Stands among a formula's variables for the result of a pass.
template <class Pass>
struct pending : variable_base<pending<Pass>, typename Pass::element, variable_kind::scalar> {};

// An extent is a variable of formulas, too.
template <class V>
concept formula_variable = is_extent<V> || (variable<V> && is_number<typename V::element> &&
                                            (V::kind == variable_kind::scalar || V::kind == variable_kind::value));

// In a formula over elements, the elements of a buffer or a temp.
template <class V>
concept in_elements = variable<V> && (V::kind == variable_kind::buffer || V::kind == variable_kind::temp);
template <class V>
concept array_variable = in_elements<V> && is_number<typename V::element>;

// The terms of a formula: scalars and values alone, elements of arrays, or the results of passes over arrays.
enum class formulas : unsigned char { plain, of_elements, of_passes, mixed };
constexpr formulas operator|(formulas a, formulas b) { return static_cast<formulas>(static_cast<int>(a) | static_cast<int>(b)); }

// As in C++, a scoped enumeration is no number: it compares with its own kind, and that is all.
template <class T>
struct operand_type {
    using type = T;
};
template <variable V>
struct operand_type<V> {
    using type = typename V::element;
};
template <class T>
inline constexpr bool is_scoped_operand = is_scoped<typename operand_type<T>::type>;
template <class L, class R>
inline constexpr bool are_of_one_type = std::is_same_v<typename operand_type<L>::type, typename operand_type<R>::type>;

// The result of an operation: a truth; an integer, if its operands are integers.
template <class Operation>
inline constexpr bool gives_truth = __is_base_of(operation::truth, Operation);
template <class Operation>
inline constexpr bool keeps_integers = !__is_base_of(operation::floating, Operation);

// The contents of a formula, for each of its parts: the function object that computes it, and the variables in order
// of appearance. A variable:
template <class T>
struct formula_part {
    using function = placeholder;
    using variables = list<T>;
    static constexpr formulas over = in_elements<T> ? formulas::of_elements : formulas::plain;
    static constexpr bool is_integer = std::is_integral_v<typename operand_type<T>::type> || __is_enum(typename operand_type<T>::type) || is_extent<T>;
};
template <class T>
struct formula_part<constant<T>> {
    using function = constant<T>;
    using variables = list<>;
    static constexpr formulas over = formulas::plain;
    static constexpr bool is_integer = std::is_integral_v<T>;
};
template <class Pass>
struct formula_part<formula<Pass>> {
    using function = placeholder;
    using variables = list<pending<Pass>>;
    static constexpr formulas over = formulas::of_passes;
    static constexpr bool is_integer = formula_part<pending<Pass>>::is_integer;
};
template <class Operation, class L>
struct formula_part<formula<Operation, L>> {
    using function = apply_unary<Operation, typename formula_part<L>::function>;
    using variables = typename formula_part<L>::variables;
    static constexpr formulas over = formula_part<L>::over;
    static constexpr bool is_integer = gives_truth<Operation> || (keeps_integers<Operation> && formula_part<L>::is_integer);
};
template <class Operation, class L, class R>
struct formula_part<formula<Operation, L, R>> {
    using function = apply<Operation, typename formula_part<L>::function, typename formula_part<R>::function>;
    using variables = decltype(typename formula_part<L>::variables{} + typename formula_part<R>::variables{});
    static constexpr formulas over = formula_part<L>::over | formula_part<R>::over;
    static constexpr bool is_integer = gives_truth<Operation> || (keeps_integers<Operation> && formula_part<L>::is_integer && formula_part<R>::is_integer);
};

template <class T>
inline constexpr bool is_formula = formula_variable<T>;
template <class Operation, class... T>
inline constexpr bool is_formula<formula<Operation, T...>> = formula_part<formula<Operation, T...>>::over == formulas::plain;

template <class T>
concept formula_term = is_formula<T> || is_number<T>;

template <class T>
inline constexpr bool is_any_formula = formula_variable<T> || array_variable<T>;
template <class Operation, class... T>
inline constexpr bool is_any_formula<formula<Operation, T...>> = true;

template <class T>
concept formula_operand = is_any_formula<T> || is_number<T>;
template <class L, class R>
concept any_operands = formula_operand<L> && formula_operand<R> && (is_any_formula<L> || is_any_formula<R>);
template <class L, class R>
concept formula_operands = any_operands<L, R> && !is_scoped_operand<L> && !is_scoped_operand<R>;
template <class L, class R>
concept compared_operands = any_operands<L, R> && ((!is_scoped_operand<L> && !is_scoped_operand<R>) || are_of_one_type<L, R>);
template <class L>
concept number_operand = is_any_formula<L> && !is_scoped_operand<L>;

// Operands of %, &, |, ^, <<, >>, ~ and ceil_div.
template <class L, class R>
concept integer_operands = formula_operands<L, R> && formula_part<L>::is_integer && formula_part<R>::is_integer;
template <class L>
concept integer_operand = number_operand<L> && formula_part<L>::is_integer;

// A comparison has no order: 0 < i < 10 would ask whether a truth is less than 10.
template <class T>
inline constexpr bool is_comparison = false;
template <class Operation, class L, class R>
inline constexpr bool is_comparison<formula<Operation, L, R>> = __is_base_of(operation::comparison, Operation);
template <class L, class R>
concept ordered_operands = compared_operands<L, R> && !is_comparison<L> && !is_comparison<R>;

// An operand of an operator: a number is a constant.
template <class T>
    requires is_any_formula<T>
constexpr T as_formula(T part) {
    return part;
}
template <class T>
    requires is_number<T>
constexpr auto as_formula(T literal) {
    return constant<decltype(as_number(literal))>{as_number(literal)};
}
template <class Operation, class... T, std::size_t... I>
constexpr formula<Operation, T...> combine_parts(std::index_sequence<I...>, T... operands) {
    return {as_operand<I>(operands)...};
}
template <class Operation, class... T>
constexpr auto combine(T... operands) {
    return combine_parts<Operation>(std::index_sequence_for<T...>{}, as_formula(operands)...);
}

// The function object that computes a part.
template <class T>
inline constexpr bool holds_constants = !is_empty_type<typename formula_part<T>::function>;
template <class T>
    requires(!holds_constants<T>)
constexpr typename formula_part<T>::function function_of(T const&) {
    return {};
}
template <class T>
constexpr constant<T> function_of(constant<T> const& of) {
    return of;
}
template <class Operation, class L>
    requires holds_constants<formula<Operation, L>>
constexpr typename formula_part<formula<Operation, L>>::function function_of(formula<Operation, L> const& of) {
    return {as_operand<0>(function_of(of.operand<0, L>::get()))};
}
template <class Operation, class L, class R>
    requires holds_constants<formula<Operation, L, R>>
constexpr typename formula_part<formula<Operation, L, R>>::function function_of(formula<Operation, L, R> const& of) {
    return {as_operand<0>(function_of(of.operand<0, L>::get())), as_operand<1>(function_of(of.operand<1, R>::get()))};
}

template <class F, class... V>
constexpr computation<F, V...> computation_of_parts(F function, list<V...>) {
    return {function};
}
// A formula, a variable or a number as the computation that it is.
template <formula_operand T>
constexpr auto computation_of(T of) {
    const auto whole = as_formula(of);
    return computation_of_parts(function_of(whole), typename formula_part<std::remove_const_t<decltype(whole)>>::variables{});
}
template <formula_operand T>
using computation_t = decltype(computation_of(std::declval<T>()));

}  // namespace cograph::core
