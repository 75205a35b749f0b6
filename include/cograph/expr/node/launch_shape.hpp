// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/shape_base.hpp>
#include <cograph/expr/refused/node/launch_shape.hpp>
#include <cograph/expr/variable/argument.hpp>

namespace cograph::core {

template <class Shape>
struct kernel_shape : shape_base<kernel_shape<Shape>> {
    using domain = typename Shape::domain;
    static constexpr bool counts_elements = Shape::counts_elements;
};

template <class S>
concept launch_shape_type = requires { S::counts_elements; } && std::is_base_of_v<shape_base<S>, S>;

template <class S>
inline constexpr bool has_groups = false;
template <class Shape, int Size>
inline constexpr bool has_groups<group_shape<Shape, Size>> = true;
template <class Shape, class T, class N>
inline constexpr bool has_groups<shape_with_memory<Shape, T, N>> = true;

// Shapes that kernels do not take.
template <class S>
inline constexpr bool is_for_function_objects = false;
template <class Shape, int Size>
inline constexpr bool is_for_function_objects<group_shape<Shape, Size>> = true;
template <class Shape, class T, class N>
inline constexpr bool is_for_function_objects<shape_with_memory<Shape, T, N>> = true;
template <class Shape, class Length>
inline constexpr bool is_for_function_objects<first_shape<Shape, Length>> = true;

// A shape over elements, as library nodes need it: a thread each.
template <class S>
concept element_shape_type = launch_shape_type<S> && S::counts_elements && std::is_same_v<S, bare_shape_t<S>> && !has_groups<S>;

// The sizes of a shape; an invalid one is refused when the node gets its arguments.
constexpr shape_values values_of(shape_sizes const& shape) { return shape.values; }
template <class S>
    requires(!launch_shape_type<S>)
constexpr shape_values values_of(S const&) {
    return {};
}

template <class Shape, int Size>
struct group_shape : shape_base<group_shape<Shape, Size>> {
    using domain = typename Shape::domain;
    static constexpr bool counts_elements = Shape::counts_elements;
    using shape_base<group_shape>::shared;
    // Shared memory of each group: n elements of T, n a number, an extent, a value or a formula of them.
    template <class T, class N>
    constexpr shape_with_memory<group_shape, T, N> shared(N n) const {
        return {{{this->values}}, n};
    }
    template <class Length>
    static constexpr group_shape<first_shape<Shape, Length>, Size> with_length(shape_values const& values) {
        return {{{values}}};
    }
};

template <class Shape, class T, class N>
struct shape_with_memory : shape_base<shape_with_memory<Shape, T, N>> {
    using domain = typename Shape::domain;
    static constexpr bool counts_elements = Shape::counts_elements;
    N count;
};

template <class Shape, class Length>
struct first_shape : shape_base<first_shape<Shape, Length>> {
    using domain = typename Shape::domain;
    static constexpr bool counts_elements = Shape::counts_elements;
};

// One thread for each element of V (or as many as the integer value V says).
template <class V>
struct over_t : shape_base<over_t<V>> {
    using domain = choose<by_value<V>, in_t<V>, extent_t<V>>;
    static constexpr bool counts_elements = true;
    template <class Length>
    static constexpr first_shape<over_t, Length> with_length(shape_values const& values) {
        return {{{values}}};
    }
};

// One thread for each of a constant number of elements.
struct over_count : shape_base<over_count> {
    using domain = constant_extent;
    static constexpr bool counts_elements = true;
    template <class Length>
    static constexpr first_shape<over_count, Length> with_length(shape_values const& values) {
        return {{{values}}};
    }
};
// Of a number that the type says.
template <long long Count>
struct over_constant : shape_base<over_constant<Count>> {
    using domain = constant_extent_of<Count>;
    static constexpr bool counts_elements = true;
    template <class Length>
    static constexpr first_shape<over_constant, Length> with_length(shape_values const& values) {
        return {{{values}}};
    }
};

// A number of blocks.
struct grid_t : shape_base<grid_t> {
    using domain = constant_extent;
    static constexpr bool counts_elements = false;
};

template <counts_elements V>
constexpr over_t<V> over(V) {
    return {};
}

constexpr over_count over(index_t count) {
    over_count shape{};
    shape.values.count = count;
    return shape;
}
template <index_t Count>
    requires is_fine<decltype(diagnose_extents<Count>())>
constexpr over_constant<Count> over() {
    over_constant<Count> shape{};
    shape.values.count = Count;
    return shape;
}

constexpr grid_t grid(index_t x, index_t y = 1, index_t z = 1) {
    grid_t shape{};
    shape.values.grid[0] = launch_size(x);
    shape.values.grid[1] = launch_size(y);
    shape.values.grid[2] = launch_size(z);
    return shape;
}
template <index_t X, index_t Y = 1, index_t Z = 1>
    requires is_fine<decltype(diagnose_grid<X, Y, Z>())>
constexpr grid_t grid() {
    return grid(X, Y, Z);
}

}  // namespace cograph::core
