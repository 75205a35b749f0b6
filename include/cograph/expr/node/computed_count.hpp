// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/launch_shape.hpp>
#include <cograph/expr/refused/node/computed_count.hpp>
#include <cograph/expr/variable/temp_size.hpp>

namespace cograph::core {

// A number of elements given by a formula over extents and integer values, like the size of a temp. To the plan it is
// a variable with that many elements and no memory.
template <auto Size>
struct computed_count : variable_base<computed_count<Size>, char, variable_kind::count, elements<Size>> {};
template <auto Size>
inline constexpr variable_info info_of<computed_count<Size>>{{"over<...>"}, variable_kind::count, 1, 1, true, nullptr,
                                                             type_hash<computed_count<Size>>(), {"none"}, &elements<Size>::rule};

// One thread for each of as many elements as the formula says: over<extent(x) - 1>(). To gcc, nvcc
// writes decltype((Size)), a reference.
template <auto Size>
    requires(__is_class(std::remove_cvref_t<decltype(Size)>) && is_fine<decltype(diagnose_temp_size<std::remove_cvref_t<decltype(Size)>>())>)
constexpr over_t<computed_count<Size>> over() {
    return {};
}

}  // namespace cograph::core
