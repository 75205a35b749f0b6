// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/operators.hpp>
#include <cograph/expr/math/math_operations.hpp>

namespace cograph::core {

// Functions of formulas with the meaning of <cmath>: integers are converted to double. Found by their arguments.
template <class L>
    requires number_operand<L>
constexpr auto exp(L l) {
    return combine<operation::exponential>(l);
}
template <class L>
    requires number_operand<L>
constexpr auto log(L l) {
    return combine<operation::logarithm>(l);
}
template <class L>
    requires number_operand<L>
constexpr auto sin(L l) {
    return combine<operation::sine>(l);
}
template <class L>
    requires number_operand<L>
constexpr auto cos(L l) {
    return combine<operation::cosine>(l);
}
template <class L>
    requires number_operand<L>
constexpr auto tan(L l) {
    return combine<operation::tangent>(l);
}
template <class L>
    requires number_operand<L>
constexpr auto tanh(L l) {
    return combine<operation::hyperbolic_tangent>(l);
}
template <class L>
    requires number_operand<L>
constexpr auto floor(L l) {
    return combine<operation::rounded_down>(l);
}
template <class L>
    requires number_operand<L>
constexpr auto ceil(L l) {
    return combine<operation::rounded_up>(l);
}
template <class L>
    requires number_operand<L>
constexpr auto round(L l) {
    return combine<operation::rounded>(l);
}
template <class L>
    requires number_operand<L>
constexpr auto isfinite(L l) {
    return combine<operation::is_finite_number>(l);
}
template <class L>
    requires number_operand<L>
constexpr auto isnan(L l) {
    return combine<operation::is_no_number>(l);
}
template <class L, class R>
    requires formula_operands<L, R>
constexpr auto pow(L l, R r) {
    return combine<operation::power>(l, r);
}

template <class T>
concept plain_operand = formula_operand<T> && !is_scoped_operand<T>;
template <class A, class B, class C>
concept fused_operands = plain_operand<A> && plain_operand<B> && plain_operand<C> && (is_any_formula<A> || is_any_formula<B> || is_any_formula<C>);

// a * b + c, rounded once.
template <class A, class B, class C>
    requires fused_operands<A, B, C>
constexpr auto fma(A a, B b, C c) {
    return combine<operation::fused_sum>(combine<operation::factors>(a, b), c);
}

}  // namespace cograph::core
