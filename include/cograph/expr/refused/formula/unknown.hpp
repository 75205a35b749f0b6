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

template <class... A>
    requires formulas_among<A...>
auto log2(A const&...) -> decltype(mistake_of<struct log2_function, A...>(has_no_function<log2_function>(operand_word(word<A>{})...)));
template <class... A>
    requires formulas_among<A...>
auto fabs(A const&...) -> decltype(mistake_of<struct fabs_function, A...>(has_no_function<fabs_function>(operand_word(word<A>{})...)));
template <class... A>
    requires formulas_among<A...>
auto fmin(A const&...) -> decltype(mistake_of<struct fmin_function, A...>(has_no_function<fmin_function>(operand_word(word<A>{})...)));
template <class... A>
    requires formulas_among<A...>
auto fmax(A const&...) -> decltype(mistake_of<struct fmax_function, A...>(has_no_function<fmax_function>(operand_word(word<A>{})...)));
template <class... A>
    requires formulas_among<A...>
auto fmod(A const&...) -> decltype(mistake_of<struct fmod_function, A...>(has_no_function<fmod_function>(operand_word(word<A>{})...)));

}  // namespace cograph::core
