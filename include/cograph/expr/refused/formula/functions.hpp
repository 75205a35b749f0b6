// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/math/functions.hpp>
#include <cograph/expr/refused/formula/operators.hpp>

namespace cograph::core {

// Refused calls of the functions of formulas: scoped enumerations, and operands of no formula.

template <class L>
    requires(is_any_formula<L> && !number_operand<L>)
auto exp(L const&) -> decltype(mistake_of<struct exp_call, L>(diagnose_operand<L>()));
template <class L>
    requires(is_any_formula<L> && !number_operand<L>)
auto log(L const&) -> decltype(mistake_of<struct log_call, L>(diagnose_operand<L>()));
template <class L>
    requires(is_any_formula<L> && !number_operand<L>)
auto sin(L const&) -> decltype(mistake_of<struct sin_call, L>(diagnose_operand<L>()));
template <class L>
    requires(is_any_formula<L> && !number_operand<L>)
auto cos(L const&) -> decltype(mistake_of<struct cos_call, L>(diagnose_operand<L>()));
template <class L>
    requires(is_any_formula<L> && !number_operand<L>)
auto tan(L const&) -> decltype(mistake_of<struct tan_call, L>(diagnose_operand<L>()));
template <class L>
    requires(is_any_formula<L> && !number_operand<L>)
auto tanh(L const&) -> decltype(mistake_of<struct tanh_call, L>(diagnose_operand<L>()));
template <class L>
    requires(is_any_formula<L> && !number_operand<L>)
auto floor(L const&) -> decltype(mistake_of<struct floor_call, L>(diagnose_operand<L>()));
template <class L>
    requires(is_any_formula<L> && !number_operand<L>)
auto ceil(L const&) -> decltype(mistake_of<struct ceil_call, L>(diagnose_operand<L>()));
template <class L>
    requires(is_any_formula<L> && !number_operand<L>)
auto round(L const&) -> decltype(mistake_of<struct round_call, L>(diagnose_operand<L>()));
template <class L>
    requires(is_any_formula<L> && !number_operand<L>)
auto isfinite(L const&) -> decltype(mistake_of<struct isfinite_call, L>(diagnose_operand<L>()));
template <class L>
    requires(is_any_formula<L> && !number_operand<L>)
auto isnan(L const&) -> decltype(mistake_of<struct isnan_call, L>(diagnose_operand<L>()));
template <class L, class R>
    requires no_function_operands<L, R>
auto pow(L const&, R const&) -> decltype(mistake_of<struct pow_call, L, R>(diagnose_operands<L, R>()));

template <class A, class B, class C>
constexpr auto diagnose_three() {
    if constexpr (!formula_operand<A> || is_scoped_operand<A>)
        return diagnose_operands<A, choose<is_any_formula<B>, B, C>>();
    else if constexpr (!formula_operand<B> || is_scoped_operand<B>)
        return diagnose_operands<choose<is_any_formula<A>, A, C>, B>();
    else
        return diagnose_operands<choose<is_any_formula<A>, A, B>, C>();
}
template <class A, class B, class C>
    requires((is_any_formula<A> || is_any_formula<B> || is_any_formula<C>) && !fused_operands<A, B, C>)
auto fma(A const&, B const&, C const&) -> decltype(mistake_of<struct fma_call, A, B, C>(diagnose_three<A, B, C>()));

}  // namespace cograph::core
