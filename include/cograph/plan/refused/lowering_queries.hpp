// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/refused/selector.hpp>

namespace cograph::core {

// What why_not_persistent and is_persistent refuse.

template <expression E, class S>
auto why_not_persistent(const E&, S) -> decltype(mistake_of<struct why_not_persistent_query, E, S>(diagnose_selectors<typename E::self>(S{})));
template <class... A>
auto why_not_persistent(A const&...) -> mistake<arguments_are_not_those_of<struct why_not_persistent_query, A...>, struct write_why_not_persistent_expression_selector>;

template <expression E, class S>
auto is_persistent(const E&, S) -> decltype(mistake_of<struct is_persistent_query, E, S>(diagnose_selectors<typename E::self>(S{})));
template <class... A>
auto is_persistent(A const&...) -> mistake<arguments_are_not_those_of<struct is_persistent_query, A...>, struct write_is_persistent_expression_selector>;

}  // namespace cograph::core
