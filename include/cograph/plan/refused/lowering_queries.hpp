// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/plan/refused/selector.hpp>

namespace cograph::core {

// Refused calls of why_not_persistent, is_persistent, why_no_phase and share_kernel.

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

template <expression E, class A, class B>
auto share_kernel(const E&, A, B) -> decltype(mistake_of<struct share_kernel_query, E, A, B>(diagnose_selectors<typename E::self>(A{}, B{})));
template <class... A>
auto share_kernel(A const&...) -> mistake<arguments_are_not_those_of<struct share_kernel_query, A...>, struct ask_about_an_expression_and_two_of_its_nodes>;

}  // namespace cograph::core
