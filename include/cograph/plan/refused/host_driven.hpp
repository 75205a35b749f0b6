// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/refused/lowering_queries.hpp>

namespace cograph::core {

// Refused calls of is_host_driven.

template <expression E, class S>
auto is_host_driven(const E&, S) -> decltype(mistake_of<struct is_host_driven_query, E, S>(diagnose_lowering_query<typename E::self, S>()));
template <class... A>
auto is_host_driven(A const&...) -> mistake<arguments_are_not_those_of<struct is_host_driven_query, A...>, struct write_is_host_driven_expression_and_selector_or_label>;

}  // namespace cograph::core
