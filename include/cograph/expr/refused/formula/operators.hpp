// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/array_pass.hpp>
#include <cograph/expr/formula/operators.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>

namespace cograph::core {

// Operators between things of the language that are no formula: views, variables with an access mode, expressions.
template <class T>
concept of_language = has_tag<T> || access_argument<T> || expression<T> || is_any_formula<T>;
template <class L, class R>
concept no_formula_operands = (of_language<L> || of_language<R>) && !formula_operands<L, R>;
template <class L, class R>
concept no_compared_operands = (of_language<L> || of_language<R>) && !compared_operands<L, R>;
template <class L, class R>
concept no_ordered_operands = (of_language<L> || of_language<R>) && !ordered_operands<L, R>;
template <class L, class R>
concept no_integer_operands = (of_language<L> || of_language<R>) && !integer_operands<L, R>;
template <class L>
concept no_formula_operand = of_language<L> && !number_operand<L>;
// Operands of functions that are not of formulas: users may have such functions for nodes, too.
template <class L, class R>
concept no_function_operands = (is_any_formula<L> || is_any_formula<R>) && !access_argument<L> && !access_argument<R> && !expression<L> && !expression<R> &&
                               !formula_operands<L, R>;

// How a comparison names its operands: a formula by its variables, and by those that its passes over arrays read.
template <class A>
constexpr auto variables_of_argument() {
    if constexpr (access_argument<A>)
        return list_of(decltype(variable_of(static_cast<const A*>(nullptr))){});
    else
        return list<>{};
}
template <class V>
constexpr list<V> list_of(word<V>) {
    return {};
}
template <class Stage, class Key, class T, class Front, class... A>
constexpr auto list_of(word<pending<array_pass<Stage, Key, T, Front, A...>>>) {
    return (list<>{} + ... + variables_of_argument<A>());
}
template <class... V>
constexpr word<formula_over<V...>> formula_word(list<V...>) {
    return {};
}
template <class T>
constexpr word<T> operand_word(word<T> operand) {
    return operand;
}
template <class F, class... V>
constexpr auto computation_word(word<computation<F, V...>>) {
    return formula_word((list<>{} + ... + list_of(word<V>{})));
}
template <class Operation, class... T>
constexpr auto operand_word(word<formula<Operation, T...>>) {
    return computation_word(word<computation_t<formula<Operation, T...>>>{});
}
template <class L, class R>
constexpr comparisons_are_chained<L, R> chained(word<L>, word<R>) {
    return {};
}
template <class... T>
constexpr enumeration_is_no_number<T...> about_enumeration(word<T>...) {
    return {};
}
template <class L, class R>
constexpr auto diagnose_operands() {
    if constexpr (misnamed<L>)
        return diagnose_tag<L>();
    else if constexpr (misnamed<R>)
        return diagnose_tag<R>();
    else if constexpr (any_operands<L, R>)
        return about_enumeration(operand_word(word<L>{}), operand_word(word<R>{}));
    else
        return no_formula_of<L, R>{};
}
template <class L, class R>
constexpr auto diagnose_order() {
    if constexpr (compared_operands<L, R>)
        return chained(operand_word(word<L>{}), operand_word(word<R>{}));
    else
        return diagnose_operands<L, R>();
}
template <class L>
constexpr operand_is_not_an_integer<L> no_integer(word<L>) {
    return {};
}
template <class L, class R>
constexpr auto diagnose_integers() {
    if constexpr (!formula_operands<L, R>)
        return diagnose_operands<L, R>();
    else if constexpr (!formula_part<L>::is_integer)
        return no_integer(operand_word(word<L>{}));
    else
        return no_integer(operand_word(word<R>{}));
}
template <class L>
constexpr auto diagnose_operand() {
    if constexpr (misnamed<L>)
        return diagnose_tag<L>();
    else if constexpr (is_any_formula<L>)
        return enumeration_is_no_number<L>{};
    else
        return no_formula_over<L>{};
}
template <class L>
constexpr auto diagnose_integer() {
    if constexpr (number_operand<L>)
        return no_integer(operand_word(word<L>{}));
    else
        return diagnose_operand<L>();
}

template <class L, class R>
    requires no_formula_operands<L, R>
auto operator+(L const&, R const&) -> decltype(mistake_of<struct plus_operator, L, R>(diagnose_operands<L, R>()));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator-(L const&, R const&) -> decltype(mistake_of<struct minus_operator, L, R>(diagnose_operands<L, R>()));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator*(L const&, R const&) -> decltype(mistake_of<struct times_operator, L, R>(diagnose_operands<L, R>()));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator/(L const&, R const&) -> decltype(mistake_of<struct divided_operator, L, R>(diagnose_operands<L, R>()));
template <class L, class R>
    requires no_integer_operands<L, R>
auto operator%(L const&, R const&) -> decltype(mistake_of<struct modulo_operator, L, R>(diagnose_integers<L, R>()));
template <class L, class R>
    requires no_integer_operands<L, R>
auto operator&(L const&, R const&) -> decltype(mistake_of<struct bit_and_operator, L, R>(diagnose_integers<L, R>()));
template <class L, class R>
    requires no_integer_operands<L, R>
auto operator|(L const&, R const&) -> decltype(mistake_of<struct bit_or_operator, L, R>(diagnose_integers<L, R>()));
template <class L, class R>
    requires no_integer_operands<L, R>
auto operator^(L const&, R const&) -> decltype(mistake_of<struct bit_xor_operator, L, R>(diagnose_integers<L, R>()));
template <class L, class R>
    requires no_integer_operands<L, R>
auto operator<<(L const&, R const&) -> decltype(mistake_of<struct shifted_left_operator, L, R>(diagnose_integers<L, R>()));
template <class L, class R>
    requires no_integer_operands<L, R>
auto operator>>(L const&, R const&) -> decltype(mistake_of<struct shifted_right_operator, L, R>(diagnose_integers<L, R>()));
template <class L, class R>
    requires no_ordered_operands<L, R>
auto operator<(L const&, R const&) -> decltype(mistake_of<struct less_operator, L, R>(diagnose_order<L, R>()));
template <class L, class R>
    requires no_ordered_operands<L, R>
auto operator>(L const&, R const&) -> decltype(mistake_of<struct greater_operator, L, R>(diagnose_order<L, R>()));
template <class L, class R>
    requires no_ordered_operands<L, R>
auto operator<=(L const&, R const&) -> decltype(mistake_of<struct less_equal_operator, L, R>(diagnose_order<L, R>()));
template <class L, class R>
    requires no_ordered_operands<L, R>
auto operator>=(L const&, R const&) -> decltype(mistake_of<struct greater_equal_operator, L, R>(diagnose_order<L, R>()));
template <class L, class R>
    requires no_compared_operands<L, R>
auto operator==(L const&, R const&) -> decltype(mistake_of<struct equal_operator, L, R>(diagnose_operands<L, R>()));
template <class L, class R>
    requires no_compared_operands<L, R>
auto operator!=(L const&, R const&) -> decltype(mistake_of<struct unequal_operator, L, R>(diagnose_operands<L, R>()));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator&&(L const&, R const&) -> decltype(mistake_of<struct and_operator, L, R>(diagnose_operands<L, R>()));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator||(L const&, R const&) -> decltype(mistake_of<struct or_operator, L, R>(diagnose_operands<L, R>()));
template <class L>
    requires no_formula_operand<L>
auto operator-(L const&) -> decltype(mistake_of<struct negative_operator, L>(diagnose_operand<L>()));
template <class L>
    requires(of_language<L> && !integer_operand<L>)
auto operator~(L const&) -> decltype(mistake_of<struct complement_operator, L>(diagnose_integer<L>()));
template <class L>
    requires no_formula_operand<L>
auto operator!(L const&) -> decltype(mistake_of<struct not_operator, L>(diagnose_operand<L>()));
template <class L, class R>
    requires no_function_operands<L, R>
auto min(L const&, R const&) -> decltype(mistake_of<struct min_call, L, R>(diagnose_operands<L, R>()));
template <class L, class R>
    requires no_function_operands<L, R>
auto max(L const&, R const&) -> decltype(mistake_of<struct max_call, L, R>(diagnose_operands<L, R>()));
template <class L, class R>
    requires(no_function_operands<L, R> || (formula_operands<L, R> && !integer_operands<L, R>))
auto ceil_div(L const&, R const&) -> decltype(mistake_of<struct ceil_div_call, L, R>(diagnose_integers<L, R>()));
template <class L>
    requires(is_any_formula<L> && !number_operand<L>)
auto abs(L const&) -> decltype(mistake_of<struct abs_call, L>(diagnose_operand<L>()));
template <class L>
    requires(is_any_formula<L> && !number_operand<L>)
auto sqrt(L const&) -> decltype(mistake_of<struct sqrt_call, L>(diagnose_operand<L>()));

}  // namespace cograph::core
