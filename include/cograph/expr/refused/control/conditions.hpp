// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/predicate.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/refused/naming.hpp>

#include <utility>

namespace cograph::core {

// Why a predicate decides no loop or branch.

// How a predicate is named: by its function object; a formula by its variables.
template <class F, class... A>
word<F> predicate_word(const condition<given<F>, A...>*);
template <class... V>
word<formula_over<V...>> formula_word(word<V>...);
template <class F, class... A>
auto predicate_word(const condition<given<computed<F>>, A...>*) -> decltype(formula_word(variable_of(static_cast<const A*>(nullptr))...));

// The result of its function.
template <class F, class... A>
auto predicate_result(const condition<given<F>, A...>*) -> word<decltype(std::declval<const F&>()(std::declval<typename call_value<A>::type>()...))>;

template <bool Selects, class P, class R>
constexpr auto result_is_wrong(word<P>, word<R>) {
    if constexpr (Selects)
        return selector_is_not_an_integer<P, R>{};
    else
        return predicate_is_neither_bool_nor_integer<P, R>{};
}
template <bool Selects, class P, class R>
constexpr auto diagnose_result(const P* p, word<R> result) {
    if constexpr (std::is_integral_v<R>)
        return fine{};
    else
        return result_is_wrong<Selects>(decltype(predicate_word(p)){}, result);
}

// The condition that P is.
template <predicate_like P>
inline constexpr decltype(as_predicate(std::declval<P>()))* condition_of = nullptr;

// Whether P decides a branch or a loop or, with a selector, one of several cases.
template <bool Selects, class P>
constexpr auto diagnose_condition() {
    if constexpr (predicate_like<P> && !Selects && is_scoped_operand<P>)
        return result_is_wrong<false>(decltype(predicate_word(condition_of<P>)){}, element_word(word<P>{}));
    else if constexpr (variables_in_formula<P> > most_arguments && predicate_like<P>)
        return diagnose_formula_size<variables_in_formula<P>>();
    else if constexpr (predicate_like<P>)
        return diagnose_result<Selects>(condition_of<P>, decltype(predicate_result(condition_of<P>)){});
    else
        return why_no_predicate(static_cast<const P*>(nullptr));
}

}  // namespace cograph::core
