// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/formula.hpp>

namespace cograph::core {

template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator+(L l, R r) {
    return combine<operation::sum>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator-(L l, R r) {
    return combine<operation::difference>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator*(L l, R r) {
    return combine<operation::product>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator/(L l, R r) {
    return combine<operation::quotient>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires integer_operands<L, R>
constexpr auto operator%(L l, R r) {
    return combine<operation::remainder>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires integer_operands<L, R>
constexpr auto operator&(L l, R r) {
    return combine<operation::bit_and>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires integer_operands<L, R>
constexpr auto operator|(L l, R r) {
    return combine<operation::bit_or>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires integer_operands<L, R>
constexpr auto operator^(L l, R r) {
    return combine<operation::bit_xor>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires integer_operands<L, R>
constexpr auto operator<<(L l, R r) {
    return combine<operation::shift_left>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires integer_operands<L, R>
constexpr auto operator>>(L l, R r) {
    return combine<operation::shift_right>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires ordered_operands<L, R>
constexpr auto operator<(L l, R r) {
    return combine<operation::less>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires ordered_operands<L, R>
constexpr auto operator>(L l, R r) {
    return combine<operation::greater>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires ordered_operands<L, R>
constexpr auto operator<=(L l, R r) {
    return combine<operation::less_equal>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires ordered_operands<L, R>
constexpr auto operator>=(L l, R r) {
    return combine<operation::greater_equal>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires compared_operands<L, R>
constexpr auto operator==(L l, R r) {
    return combine<operation::equal>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires compared_operands<L, R>
constexpr auto operator!=(L l, R r) {
    return combine<operation::not_equal>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator&&(L l, R r) {
    return combine<operation::both>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator||(L l, R r) {
    return combine<operation::either>(as_formula(l), as_formula(r));
}
template <class L>
    requires number_operand<L>
constexpr auto operator-(L l) {
    return combine<operation::negative>(as_formula(l));
}
template <class L>
    requires integer_operand<L>
constexpr auto operator~(L l) {
    return combine<operation::complement>(as_formula(l));
}
template <class L>
    requires number_operand<L>
constexpr auto operator!(L l) {
    return combine<operation::negation>(as_formula(l));
}

// Found by their arguments.
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto min(L l, R r) {
    return combine<operation::smaller>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto max(L l, R r) {
    return combine<operation::larger>(as_formula(l), as_formula(r));
}
// l / r, rounded up.
template <class L, class R>
    requires integer_operands<L, R>
constexpr auto ceil_div(L l, R r) {
    return combine<operation::quotient_up>(as_formula(l), as_formula(r));
}
template <class L>
    requires number_operand<L>
constexpr auto abs(L l) {
    return combine<operation::magnitude>(as_formula(l));
}
template <class L>
    requires number_operand<L>
constexpr auto sqrt(L l) {
    return combine<operation::square_root>(as_formula(l));
}

}  // namespace cograph::core
