// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/variable_info.hpp>

#include <cstddef>

namespace cograph::core {

// The number of elements that the declaration of a temp states in numbers alone, elements<64>; -1 if it depends on a
// run.
constexpr std::ptrdiff_t declared_extent(const variable_info* variable);
constexpr size_result read_declared_extent(const void*, const variable_info& variable) {
    const std::ptrdiff_t count = declared_extent(&variable);
    return {count, count < 0 ? "is no constant" : nullptr};
}
constexpr std::ptrdiff_t declared_extent(const variable_info* variable) {
    const variable_info* const source = extent_source(variable);
    if (!source || !source->size_by) return -1;
    const size_result size = source->size_by->compute(*source->size_by, &read_declared_extent, nullptr);
    return size.fault ? -1 : size.value;
}

}  // namespace cograph::core
