// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/control/order.hpp>

namespace cograph::core {

// Refused calls of named.

template <class Text, class E>
    requires(!expression<E>)
auto named(Text const&, E const&) -> decltype(mistake_of<struct named_call, Text, E>(why_no_expression(static_cast<const E*>(nullptr))));

}  // namespace cograph::core
