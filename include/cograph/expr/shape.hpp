// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/access.hpp>

namespace cograph {

// A launch shape. Derived shapes say where the number of blocks comes from.
template <class Self>
struct shape_base {
    shape_values values;

    constexpr Self block(unsigned x, unsigned y = 1, unsigned z = 1) const {
        Self changed = static_cast<const Self&>(*this);
        changed.values.block[0] = x;
        changed.values.block[1] = y;
        changed.values.block[2] = z;
        return changed;
    }
    // Dynamic shared memory in bytes.
    constexpr Self shared(unsigned bytes) const {
        Self changed = static_cast<const Self&>(*this);
        changed.values.shared = bytes;
        return changed;
    }
};

// One thread for each element of V (or as many as the integer value V says).
template <class V>
struct over_t : shape_base<over_t<V>> {
    using domain = std::conditional_t<by_value<V>, in_t<V>, extent_t<V>>;
    static constexpr launch_rule rule = launch_rule::per_element;
};

// One thread for each of a constant number of elements.
struct over_count : shape_base<over_count> {
    using domain = constant_extent;
    static constexpr launch_rule rule = launch_rule::per_element;
};

// So many blocks.
struct grid_t : shape_base<grid_t> {
    using domain = constant_extent;
    static constexpr launch_rule rule = launch_rule::given;
};

template <variable V>
    requires in_memory<V> || (V::kind == variable_kind::value && std::is_integral_v<typename V::element>)
constexpr over_t<V> over(V) {
    return {};
}

constexpr over_count over(index_t count) {
    over_count shape{};
    shape.values.count = count;
    return shape;
}

constexpr grid_t grid(unsigned x, unsigned y = 1, unsigned z = 1) {
    grid_t shape{};
    shape.values.grid[0] = x;
    shape.values.grid[1] = y;
    shape.values.grid[2] = z;
    return shape;
}

}  // namespace cograph
