// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/operators.hpp>
#include <cograph/expr/size_operators.hpp>

namespace cograph::reason {

template <class Left, class Right>
struct no_formula_of : advises<struct write_formulas_over_variables_that_hold_numbers> {};

template <class Operand>
struct no_formula_over : advises<struct write_formulas_over_variables_that_hold_numbers> {};

}  // namespace cograph::reason

namespace cograph::core {

// Operators between things of the language that are no formula: views, marked variables, expressions.
template <class T>
concept of_language = variable<T> || mark<T> || expression<T> || is_any_formula<T> || is_extent<T>;
template <class L, class R>
concept no_formula_operands = (of_language<L> || of_language<R>) && !formula_operands<L, R>;
template <class L, class R>
concept no_arithmetic_operands = no_formula_operands<L, R> && !is_extent<L> && !is_extent<R>;  // those are sizes
template <class L>
concept no_formula_operand = of_language<L> && !is_any_formula<L>;

template <class L, class R>
    requires no_arithmetic_operands<L, R>
auto operator+(L const&, R const&) -> decltype(mistake_of<struct plus_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_arithmetic_operands<L, R>
auto operator-(L const&, R const&) -> decltype(mistake_of<struct minus_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_arithmetic_operands<L, R>
auto operator*(L const&, R const&) -> decltype(mistake_of<struct times_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_arithmetic_operands<L, R>
auto operator/(L const&, R const&) -> decltype(mistake_of<struct divided_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_arithmetic_operands<L, R>
auto operator%(L const&, R const&) -> decltype(mistake_of<struct modulo_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator&(L const&, R const&) -> decltype(mistake_of<struct bit_and_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator|(L const&, R const&) -> decltype(mistake_of<struct bit_or_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator^(L const&, R const&) -> decltype(mistake_of<struct bit_xor_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator<<(L const&, R const&) -> decltype(mistake_of<struct shifted_left_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator>>(L const&, R const&) -> decltype(mistake_of<struct shifted_right_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator<(L const&, R const&) -> decltype(mistake_of<struct less_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator>(L const&, R const&) -> decltype(mistake_of<struct greater_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator<=(L const&, R const&) -> decltype(mistake_of<struct less_equal_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator>=(L const&, R const&) -> decltype(mistake_of<struct greater_equal_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator==(L const&, R const&) -> decltype(mistake_of<struct equal_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator!=(L const&, R const&) -> decltype(mistake_of<struct unequal_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator&&(L const&, R const&) -> decltype(mistake_of<struct and_operator, L, R>(no_formula_of<L, R>{}));
template <class L, class R>
    requires no_formula_operands<L, R>
auto operator||(L const&, R const&) -> decltype(mistake_of<struct or_operator, L, R>(no_formula_of<L, R>{}));
template <class L>
    requires no_formula_operand<L>
auto operator-(L const&) -> decltype(mistake_of<struct negative_operator, L>(no_formula_over<L>{}));
template <class L>
    requires no_formula_operand<L>
auto operator~(L const&) -> decltype(mistake_of<struct complement_operator, L>(no_formula_over<L>{}));
template <class L>
    requires no_formula_operand<L>
auto operator!(L const&) -> decltype(mistake_of<struct not_operator, L>(no_formula_over<L>{}));

}  // namespace cograph::core
