// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/formula/operators.hpp>

namespace cograph::core {

// Operations that formulas do not have: operators that change a variable, and further functions of <cmath>.

template <class L>
constexpr formulas_change_nothing<L> changes_nothing(word<L>) {
    return {};
}
template <of_language L, class R>
auto operator+=(L const&, R const&) -> decltype(mistake_of<struct plus_assignment, L, R>(changes_nothing(operand_word(word<L>{}))));
template <of_language L, class R>
auto operator-=(L const&, R const&) -> decltype(mistake_of<struct minus_assignment, L, R>(changes_nothing(operand_word(word<L>{}))));
template <of_language L, class R>
auto operator*=(L const&, R const&) -> decltype(mistake_of<struct times_assignment, L, R>(changes_nothing(operand_word(word<L>{}))));
template <of_language L, class R>
auto operator/=(L const&, R const&) -> decltype(mistake_of<struct divided_assignment, L, R>(changes_nothing(operand_word(word<L>{}))));
template <of_language L, class R>
auto operator%=(L const&, R const&) -> decltype(mistake_of<struct modulo_assignment, L, R>(changes_nothing(operand_word(word<L>{}))));
template <of_language L, class R>
auto operator&=(L const&, R const&) -> decltype(mistake_of<struct bit_and_assignment, L, R>(changes_nothing(operand_word(word<L>{}))));
template <of_language L, class R>
auto operator|=(L const&, R const&) -> decltype(mistake_of<struct bit_or_assignment, L, R>(changes_nothing(operand_word(word<L>{}))));
template <of_language L, class R>
auto operator^=(L const&, R const&) -> decltype(mistake_of<struct bit_xor_assignment, L, R>(changes_nothing(operand_word(word<L>{}))));
template <of_language L>
auto operator++(L const&) -> decltype(mistake_of<struct increment, L>(changes_nothing(operand_word(word<L>{}))));
template <of_language L>
auto operator++(L const&, int) -> decltype(mistake_of<struct increment_behind, L>(changes_nothing(operand_word(word<L>{}))));
template <of_language L>
auto operator--(L const&) -> decltype(mistake_of<struct decrement, L>(changes_nothing(operand_word(word<L>{}))));
template <of_language L>
auto operator--(L const&, int) -> decltype(mistake_of<struct decrement_behind, L>(changes_nothing(operand_word(word<L>{}))));

template <class... A>
concept formulas_among = (is_any_formula<A> || ...);
template <class Function, class... A>
constexpr formulas_have_no_function<Function, A...> has_no_function(word<A>...) {
    return {};
}

template <class Function, class... A>
using refused_function = decltype(mistake_of<Function, A...>(has_no_function<Function>(operand_word(word<A>{})...)));

template <class... A>
    requires formulas_among<A...>
auto acos(A const&...) -> refused_function<struct acos_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto asin(A const&...) -> refused_function<struct asin_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto atan(A const&...) -> refused_function<struct atan_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto atan2(A const&...) -> refused_function<struct atan2_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto cbrt(A const&...) -> refused_function<struct cbrt_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto copysign(A const&...) -> refused_function<struct copysign_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto cosh(A const&...) -> refused_function<struct cosh_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto erf(A const&...) -> refused_function<struct erf_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto erfc(A const&...) -> refused_function<struct erfc_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto exp2(A const&...) -> refused_function<struct exp2_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto expm1(A const&...) -> refused_function<struct expm1_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto fabs(A const&...) -> refused_function<struct fabs_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto fmax(A const&...) -> refused_function<struct fmax_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto fmin(A const&...) -> refused_function<struct fmin_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto fmod(A const&...) -> refused_function<struct fmod_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto hypot(A const&...) -> refused_function<struct hypot_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto isinf(A const&...) -> refused_function<struct isinf_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto lgamma(A const&...) -> refused_function<struct lgamma_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto log10(A const&...) -> refused_function<struct log10_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto log1p(A const&...) -> refused_function<struct log1p_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto log2(A const&...) -> refused_function<struct log2_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto remainder(A const&...) -> refused_function<struct remainder_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto rint(A const&...) -> refused_function<struct rint_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto sinh(A const&...) -> refused_function<struct sinh_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto tgamma(A const&...) -> refused_function<struct tgamma_function, A...>;
template <class... A>
    requires formulas_among<A...>
auto trunc(A const&...) -> refused_function<struct trunc_function, A...>;

}  // namespace cograph::core
