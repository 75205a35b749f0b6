// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/host_value.hpp>

namespace cograph::core {

template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator+(L l, R r) {
    return combine<operation::sum>(l, r);
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator-(L l, R r) {
    return combine<operation::difference>(l, r);
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator*(L l, R r) {
    return combine<operation::product>(l, r);
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator/(L l, R r) {
    return combine<operation::quotient>(l, r);
}
template <class L, class R>
    requires integer_operands<L, R>
constexpr auto operator%(L l, R r) {
    return combine<operation::remainder>(l, r);
}
template <class L, class R>
    requires integer_operands<L, R>
constexpr auto operator&(L l, R r) {
    return combine<operation::bit_and>(l, r);
}
template <class L, class R>
    requires integer_operands<L, R>
constexpr auto operator|(L l, R r) {
    return combine<operation::bit_or>(l, r);
}
template <class L, class R>
    requires integer_operands<L, R>
constexpr auto operator^(L l, R r) {
    return combine<operation::bit_xor>(l, r);
}
template <class L, class R>
    requires integer_operands<L, R>
constexpr auto operator<<(L l, R r) {
    return combine<operation::shift_left>(l, r);
}
template <class L, class R>
    requires integer_operands<L, R>
constexpr auto operator>>(L l, R r) {
    return combine<operation::shift_right>(l, r);
}
template <class L, class R>
    requires ordered_operands<L, R>
constexpr auto operator<(L l, R r) {
    return combine<operation::less>(l, r);
}
template <class L, class R>
    requires ordered_operands<L, R>
constexpr auto operator>(L l, R r) {
    return combine<operation::greater>(l, r);
}
template <class L, class R>
    requires ordered_operands<L, R>
constexpr auto operator<=(L l, R r) {
    return combine<operation::less_equal>(l, r);
}
template <class L, class R>
    requires ordered_operands<L, R>
constexpr auto operator>=(L l, R r) {
    return combine<operation::greater_equal>(l, r);
}
template <class L, class R>
    requires compared_operands<L, R>
constexpr auto operator==(L l, R r) {
    return combine<operation::equal>(l, r);
}
template <class L, class R>
    requires compared_operands<L, R>
constexpr auto operator!=(L l, R r) {
    return combine<operation::not_equal>(l, r);
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator&&(L l, R r) {
    return combine<operation::both>(l, r);
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator||(L l, R r) {
    return combine<operation::either>(l, r);
}
template <class L>
    requires number_operand<L>
constexpr auto operator-(L l) {
    return combine<operation::negative>(l);
}
template <class L>
    requires integer_operand<L>
constexpr auto operator~(L l) {
    return combine<operation::complement>(l);
}
template <class L>
    requires number_operand<L>
constexpr auto operator!(L l) {
    return combine<operation::negation>(l);
}

// Found by their arguments.
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto min(L l, R r) {
    return combine<operation::smaller>(l, r);
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto max(L l, R r) {
    return combine<operation::larger>(l, r);
}
// l / r, rounded up.
template <class L, class R>
    requires integer_operands<L, R>
constexpr auto ceil_div(L l, R r) {
    return combine<operation::quotient_up>(l, r);
}
template <class L>
    requires number_operand<L>
constexpr auto abs(L l) {
    return combine<operation::magnitude>(l);
}
template <class L>
    requires number_operand<L>
constexpr auto sqrt(L l) {
    return combine<operation::square_root>(l);
}

}  // namespace cograph::core
