// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/temp_size.hpp>

namespace cograph::core {

// Refused calls of over<extent(x) - 1>().
template <auto Size>
    requires(__is_class(std::remove_cvref_t<decltype(Size)>) && !is_fine<decltype(diagnose_temp_size<std::remove_cvref_t<decltype(Size)>>())>)
auto over() -> decltype(mistake_of<struct over_call, elements<Size>>(diagnose_temp_size<std::remove_cvref_t<decltype(Size)>>()));

}  // namespace cograph::core
