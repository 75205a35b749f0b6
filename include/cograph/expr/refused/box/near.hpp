// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/box_reasons.hpp>
#include <cograph/expr/variable/access_mode.hpp>

namespace cograph::core {

// Refused calls of x[near<...>].

template <class V, int... Radius>
auto out(near_elements_of<V, Radius...>) -> decltype(mistake_of<struct out_call, V, near_t<Radius...>>(neighbours_are_only_read<V>{}));
template <class V, int... Radius>
auto inout(near_elements_of<V, Radius...>) -> decltype(mistake_of<struct inout_call, V, near_t<Radius...>>(neighbours_are_only_read<V>{}));

}  // namespace cograph::core
