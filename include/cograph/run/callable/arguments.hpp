// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/callable/argument_list.hpp>
#include <cograph/run/refused/callable/call.hpp>

namespace cograph::core {

template <class... M>
    requires is_fine<decltype(diagnose_arguments<M...>())>
constexpr argument_list<M...> arguments(M...) {
    return {};
}

}  // namespace cograph::core
