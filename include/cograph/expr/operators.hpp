// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula.hpp>

namespace cograph {

template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator+(L l, R r) {
    return combine<sum>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator-(L l, R r) {
    return combine<difference>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator*(L l, R r) {
    return combine<product>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator/(L l, R r) {
    return combine<quotient>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator%(L l, R r) {
    return combine<remainder>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator&(L l, R r) {
    return combine<bit_and>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator|(L l, R r) {
    return combine<bit_or>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator^(L l, R r) {
    return combine<bit_xor>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator<<(L l, R r) {
    return combine<shift_left>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator>>(L l, R r) {
    return combine<shift_right>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator<(L l, R r) {
    return combine<less>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator>(L l, R r) {
    return combine<greater>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator<=(L l, R r) {
    return combine<less_equal>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator>=(L l, R r) {
    return combine<greater_equal>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator==(L l, R r) {
    return combine<equal>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator!=(L l, R r) {
    return combine<not_equal>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator&&(L l, R r) {
    return combine<both>(as_formula(l), as_formula(r));
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto operator||(L l, R r) {
    return combine<either>(as_formula(l), as_formula(r));
}
template <class L>
    requires is_formula<L>
constexpr auto operator-(L l) {
    return combine<negative>(as_formula(l));
}
template <class L>
    requires is_formula<L>
constexpr auto operator~(L l) {
    return combine<complement>(as_formula(l));
}
template <class L>
    requires is_formula<L>
constexpr auto operator!(L l) {
    return combine<negation>(as_formula(l));
}

}  // namespace cograph
