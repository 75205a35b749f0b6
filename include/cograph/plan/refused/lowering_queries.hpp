// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/refused/naming.hpp>
#include <cograph/plan/refused/selector.hpp>

namespace cograph::core {

// Refused calls of why_not_persistent, is_persistent, why_no_tiles, where_on_chip, why_no_phase and share_kernel.

template <class E, class S>
constexpr auto diagnose_lowering_query() {
    if constexpr (is_text<S>)
        return text_of_a_label_is_no_const_char_pointer<S>{};
    else
        return diagnose_selectors<E>(S{});
}

// Of two nodes, their kernel is asked.
struct loops_of_two_nodes;
advises<struct ask_share_kernel_about_two_nodes> how_to_call(loops_of_two_nodes*);
template <class A, class B>
concept are_selectors = is_selector<A> && is_selector<B>;

struct why_not_persistent_query;
advises<struct write_why_not_persistent_expression_and_selector_or_label> how_to_call(why_not_persistent_query*);
template <expression E, class S>
auto why_not_persistent(const E&, S) -> decltype(mistake_of<why_not_persistent_query, E, S>(diagnose_lowering_query<typename E::self, S>()));
template <class E, class A, class B>
    requires are_selectors<A, B>
auto why_not_persistent(const E&, A, B) -> decltype(mistake_of<why_not_persistent_query, E, A, B>(wrong_arguments<loops_of_two_nodes, A, B>()));
template <class... A>
auto why_not_persistent(A const&...) -> decltype(mistake_of<why_not_persistent_query, A...>(wrong_arguments<why_not_persistent_query, A...>()));

struct is_persistent_query;
advises<struct write_is_persistent_expression_and_selector_or_label> how_to_call(is_persistent_query*);
template <expression E, class S>
auto is_persistent(const E&, S) -> decltype(mistake_of<is_persistent_query, E, S>(diagnose_lowering_query<typename E::self, S>()));
template <class E, class A, class B>
    requires are_selectors<A, B>
auto is_persistent(const E&, A, B) -> decltype(mistake_of<is_persistent_query, E, A, B>(wrong_arguments<loops_of_two_nodes, A, B>()));
template <class... A>
auto is_persistent(A const&...) -> decltype(mistake_of<is_persistent_query, A...>(wrong_arguments<is_persistent_query, A...>()));

struct why_no_tiles_query;
advises<struct write_why_no_tiles_expression_and_selector_or_label> how_to_call(why_no_tiles_query*);
template <expression E, class S>
auto why_no_tiles(const E&, S) -> decltype(mistake_of<why_no_tiles_query, E, S>(diagnose_lowering_query<typename E::self, S>()));
template <class... A>
auto why_no_tiles(A const&...) -> decltype(mistake_of<why_no_tiles_query, A...>(wrong_arguments<why_no_tiles_query, A...>()));

struct where_on_chip_query;
advises<struct write_where_on_chip_expression_selector_or_label_and_variable> how_to_call(where_on_chip_query*);
template <expression E, class S, variable V>
auto where_on_chip(const E&, S, V) -> decltype(mistake_of<where_on_chip_query, E, S, V>(diagnose_lowering_query<typename E::self, S>()));
template <class... A>
auto where_on_chip(A const&...) -> decltype(mistake_of<where_on_chip_query, A...>(wrong_arguments<where_on_chip_query, A...>()));

struct why_no_phase_query;
advises<struct write_why_no_phase_expression_and_selector> how_to_call(why_no_phase_query*);
template <expression E, class S>
auto why_no_phase(const E&, S) -> decltype(mistake_of<why_no_phase_query, E, S>(diagnose_selectors<typename E::self>(S{})));
template <class... A>
auto why_no_phase(A const&...) -> decltype(mistake_of<why_no_phase_query, A...>(wrong_arguments<why_no_phase_query, A...>()));

struct share_kernel_query;
advises<struct ask_about_an_expression_and_two_of_its_nodes> how_to_call(share_kernel_query*);
template <expression E, class A, class B>
auto share_kernel(const E&, A, B) -> decltype(mistake_of<share_kernel_query, E, A, B>(diagnose_selectors<typename E::self>(A{}, B{})));
template <class... A>
auto share_kernel(A const&...) -> decltype(mistake_of<share_kernel_query, A...>(wrong_arguments<share_kernel_query, A...>()));

}  // namespace cograph::core
