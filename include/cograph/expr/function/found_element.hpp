// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/operations.hpp>

#include <type_traits>

namespace cograph {

// A value and the place at which it was found.
template <class T>
struct found_element {
    T value;
    index_t index;
    friend COGRAPH_HD constexpr bool operator==(found_element const& a, found_element const& b) { return a.value == b.value && a.index == b.index; }
};

}  // namespace cograph

namespace cograph::core {

// The larger or smaller of two, of equals the one that comes first; none has the number -1. Any number comes before a NaN.
template <bool Largest>
struct extreme_of_two : light_function {
    template <class T>
    COGRAPH_HD constexpr found_element<T> operator()(found_element<T> const& a, found_element<T> const& b) const {
        if (a.index < 0 || b.index < 0) return a.index < 0 ? b : a;
        const bool b_wins = is_before(b.value, a.value), a_wins = is_before(a.value, b.value);
        return b_wins || (!a_wins && b.index < a.index) ? b : a;
    }

private:
    template <class T>
    COGRAPH_HD static constexpr bool is_before(T const& a, T const& b) {
        if constexpr (std::is_floating_point_v<T>)
            if (is_nan(a) || is_nan(b)) return !is_nan(a) && is_nan(b);
        return Largest ? b < a : a < b;
    }
};

}  // namespace cograph::core
