// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

namespace cograph {

// A value and its position.
template <class T>
struct found_element {
    T value;
    index_t index;
    friend COGRAPH_HD constexpr bool operator==(found_element const& a, found_element const& b) { return a.value == b.value && a.index == b.index; }
};

}  // namespace cograph
