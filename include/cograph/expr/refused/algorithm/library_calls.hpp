// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/argument.hpp>

namespace cograph::core {

// Calls of library nodes that are none of the right ones are about variables or about something else of the same name.
template <class A>
inline constexpr bool is_of_variables = has_tag<A> || access_argument<A>;
template <class V>
inline constexpr bool is_of_variables<elements_of<V>> = true;
template <class... A>
concept of_variables = (is_of_variables<A> || ...);

}  // namespace cograph::core
