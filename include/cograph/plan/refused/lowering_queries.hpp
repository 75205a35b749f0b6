// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/plan/refused/selector.hpp>

namespace cograph::core {

// Refused calls of why_not_persistent, is_persistent and why_no_phase.

template <class E, class S>
constexpr auto diagnose_lowering_query() {
    if constexpr (is_text<S>)
        return text_of_a_label_is_no_const_char_pointer<S>{};
    else
        return diagnose_selectors<E>(S{});
}

template <expression E, class S>
auto why_not_persistent(const E&, S) -> decltype(mistake_of<struct why_not_persistent_query, E, S>(diagnose_lowering_query<typename E::self, S>()));
template <class... A>
auto why_not_persistent(A const&...) -> mistake<arguments_are_not_those_of<struct why_not_persistent_query, A...>, struct write_why_not_persistent_expression_and_selector_or_label>;

template <expression E, class S>
auto is_persistent(const E&, S) -> decltype(mistake_of<struct is_persistent_query, E, S>(diagnose_lowering_query<typename E::self, S>()));
template <class... A>
auto is_persistent(A const&...) -> mistake<arguments_are_not_those_of<struct is_persistent_query, A...>, struct write_is_persistent_expression_and_selector_or_label>;

template <expression E, class S>
auto why_no_phase(const E&, S) -> decltype(mistake_of<struct why_no_phase_query, E, S>(diagnose_selectors<typename E::self>(S{})));
template <class... A>
auto why_no_phase(A const&...) -> mistake<arguments_are_not_those_of<struct why_no_phase_query, A...>, struct write_why_no_phase_expression_and_selector>;

}  // namespace cograph::core
