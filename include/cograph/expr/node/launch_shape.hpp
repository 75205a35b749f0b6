// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/node_reasons.hpp>
#include <cograph/expr/variable/access_mode.hpp>

namespace cograph::core {

// What every GPU can do.
constexpr index_t most_threads = 1024;             // of a block
constexpr index_t most_threads_along_z = 64;       // of a block
constexpr index_t most_blocks = 2147483647;        // along x
constexpr index_t most_blocks_along_y_z = 65535;
constexpr index_t most_blocks_in_cluster = 16;     // beyond 8 on some GPUs only
constexpr index_t most_shared_bytes = 232448;      // of a block, on the GPUs that have most

// A number of blocks, threads or bytes, as a launch takes it; what that cannot hold becomes the greatest, which no launch may ask for.
constexpr unsigned launch_size(index_t size) { return size < 0 || size > index_t{0xffffffff} ? ~0u : static_cast<unsigned>(size); }

constexpr bool block_fits(index_t x, index_t y, index_t z) {
    return x <= most_threads && y <= most_threads && z <= most_threads_along_z && x * y * z <= most_threads;
}
constexpr bool grid_fits(index_t x, index_t y, index_t z) {
    return x <= most_blocks && y <= most_blocks_along_y_z && z <= most_blocks_along_y_z;
}

template <index_t... N>
constexpr auto diagnose_extents() {
    if constexpr (((N > 0) && ...))
        return fine{};
    else
        return extent_is_not_positive<N...>{};
}
template <index_t X, index_t Y, index_t Z>
constexpr auto diagnose_block() {
    if constexpr (X <= 0 || Y <= 0 || Z <= 0 || block_fits(X, Y, Z))
        return diagnose_extents<X, Y, Z>();
    else
        return block_is_too_large<X, Y, Z>{};
}
template <index_t X, index_t Y, index_t Z>
constexpr auto diagnose_grid() {
    if constexpr (X <= 0 || Y <= 0 || Z <= 0 || grid_fits(X, Y, Z))
        return diagnose_extents<X, Y, Z>();
    else
        return grid_is_too_large<X, Y, Z>{};
}
template <index_t Bytes>
constexpr auto diagnose_shared() {
    if constexpr (Bytes < 0)
        return extent_is_not_positive<Bytes>{};
    else if constexpr (Bytes > most_shared_bytes)
        return shared_memory_is_too_large<Bytes>{};
    else
        return fine{};
}

template <index_t X, index_t Y, index_t Z>
constexpr auto diagnose_cluster() {
    if constexpr (X <= 0 || Y <= 0 || Z <= 0)
        return diagnose_extents<X, Y, Z>();
    else if constexpr (X > most_blocks_in_cluster || Y > most_blocks_in_cluster || Z > most_blocks_in_cluster || X * Y * Z > most_blocks_in_cluster)
        return cluster_is_too_large<X, Y, Z>{};
    else
        return fine{};
}

// What a shape takes as a size: a number of the host that is whole.
template <class T>
inline constexpr bool is_launch_size = std::is_convertible_v<T, index_t> && !std::is_floating_point_v<T>;

// A shape with what only kernels can be asked for.
template <class Shape>
struct kernel_shape;
template <class Shape>
struct bare_shape {
    using type = Shape;
};
template <class Shape>
struct bare_shape<kernel_shape<Shape>> {
    using type = Shape;
};
template <class Shape>
using bare_shape_t = typename bare_shape<Shape>::type;

// A launch shape. Derived shapes say where the number of blocks comes from. Sizes are given when the program runs, or in
// angle brackets: .block<128>() is .block(128), checked by the compiler.
struct shape_sizes {
    shape_values values;
};
template <class Self>
struct shape_base : shape_sizes {
    constexpr Self block(index_t x, index_t y = 1, index_t z = 1) const {
        Self changed = static_cast<const Self&>(*this);
        changed.values.block[0] = launch_size(x);
        changed.values.block[1] = launch_size(y);
        changed.values.block[2] = launch_size(z);
        return changed;
    }
    template <class... A>
        requires(!is_launch_size<A> || ...)
    auto block(A...) const -> mistake<arguments_are_not_those_of<struct block_call, A...>, struct give_one_to_three_whole_numbers_of_threads>;
    template <index_t X, index_t Y = 1, index_t Z = 1>
        requires is_fine<decltype(diagnose_block<X, Y, Z>())>
    constexpr Self block() const {
        return block(X, Y, Z);
    }
    template <index_t X, index_t Y = 1, index_t Z = 1>
    auto block() const -> decltype(mistake_of<struct block_call, Self, word<extent_is_not_positive<X, Y, Z>>>(diagnose_block<X, Y, Z>()));

    // Dynamic shared memory in bytes.
    constexpr Self shared(index_t bytes) const {
        Self changed = static_cast<const Self&>(*this);
        changed.values.shared = launch_size(bytes);
        return changed;
    }
    template <class... A>
        requires(!is_launch_size<A> || ...)
    auto shared(A...) const -> mistake<arguments_are_not_those_of<struct shared_call, A...>, struct give_a_whole_number_of_bytes>;
    template <index_t Bytes>
        requires is_fine<decltype(diagnose_shared<Bytes>())>
    constexpr Self shared() const {
        return shared(Bytes);
    }
    template <index_t Bytes>
    auto shared() const -> decltype(mistake_of<struct shared_call, Self, extent_is_not_positive<Bytes>>(diagnose_shared<Bytes>()));

    // For kernels alone. Blocks of a cluster; the number of blocks is rounded up to whole clusters where it follows from
    // elements.
    constexpr auto cluster(index_t x, index_t y = 1, index_t z = 1) const {
        kernel_shape<bare_shape_t<Self>> changed{{values}};
        const unsigned sides[] = {launch_size(x), launch_size(y), launch_size(z)};
        changed.values.cluster = sides[0] < 256 && sides[1] < 256 && sides[2] < 256 ? sides[0] | sides[1] << 8 | sides[2] << 16 : ~0u;
        return changed;
    }
    template <class... A>
        requires(!is_launch_size<A> || ...)
    auto cluster(A...) const -> mistake<arguments_are_not_those_of<struct cluster_call, A...>, struct give_one_to_three_whole_numbers_of_blocks>;
    template <index_t X, index_t Y = 1, index_t Z = 1>
        requires is_fine<decltype(diagnose_cluster<X, Y, Z>())>
    constexpr auto cluster() const {
        return cluster(X, Y, Z);
    }
    template <index_t X, index_t Y = 1, index_t Z = 1>
    auto cluster() const -> decltype(mistake_of<struct cluster_call, Self, extent_is_not_positive<X, Y, Z>>(diagnose_cluster<X, Y, Z>()));
    // All blocks are on the device at once, and may wait for each other.
    constexpr auto cooperative() const {
        kernel_shape<bare_shape_t<Self>> changed{{values}};
        changed.values.cooperative = true;
        return changed;
    }
    // As of a stream: the lower the number, the sooner.
    constexpr auto priority(int number) const {
        kernel_shape<bare_shape_t<Self>> changed{{values}};
        changed.values.priority = number;
        return changed;
    }
    template <class... A>
        requires(!is_launch_size<A> || ...)
    auto priority(A...) const -> mistake<arguments_are_not_those_of<struct priority_call, A...>, struct give_a_whole_number>;
    // Behind a kernel that is programmatic too it begins when that one's blocks have all called
    // cudaTriggerProgrammaticLaunchCompletion or ended. It calls cudaGridDependencySynchronize before it touches memory that
    // others write or read, and at the latest before it ends.
    constexpr auto programmatic() const {
        kernel_shape<bare_shape_t<Self>> changed{{values}};
        changed.values.programmatic = true;
        return changed;
    }
};

template <class Shape>
struct kernel_shape : shape_base<kernel_shape<Shape>> {
    using domain = typename Shape::domain;
    static constexpr bool counts_elements = Shape::counts_elements;
};

template <class S>
concept launch_shape_type = std::is_base_of_v<shape_base<S>, S>;

// A shape over elements, as library nodes need it.
template <class S>
concept element_shape_type = launch_shape_type<S> && S::counts_elements && std::is_same_v<S, bare_shape_t<S>>;

// The sizes of a shape; what is none is refused where the node gets its arguments.
constexpr shape_values values_of(shape_sizes const& shape) { return shape.values; }
template <class S>
    requires(!launch_shape_type<S>)
constexpr shape_values values_of(S const&) {
    return {};
}

// One thread for each element of V (or as many as the integer value V says).
template <class V>
struct over_t : shape_base<over_t<V>> {
    using domain = choose<by_value<V>, in_t<V>, extent_t<V>>;
    static constexpr bool counts_elements = true;
};

// One thread for each of a constant number of elements.
struct over_count : shape_base<over_count> {
    using domain = constant_extent;
    static constexpr bool counts_elements = true;
};

// So many blocks.
struct grid_t : shape_base<grid_t> {
    using domain = constant_extent;
    static constexpr bool counts_elements = false;
};

// A scalar's number is read when the graph is at it, and threads are counted before; one element is what single_task is for.
template <class V>
concept counts_elements = (in_memory<V> && V::kind != variable_kind::scalar) ||
                          (variable<V> && V::kind == variable_kind::value && std::is_integral_v<typename V::element>);

template <counts_elements V>
constexpr over_t<V> over(V) {
    return {};
}
template <class V>
choose<in_memory<V>, scalar_counts_no_elements<V>, does_not_count_elements<V>> why_no_count(const V*);
template <class V>
    requires(!counts_elements<V> && !misnamed<V> && (!std::is_convertible_v<V, index_t> || std::is_floating_point_v<V>))
auto over(V) -> decltype(mistake_of<struct over_call, V>(why_no_count(static_cast<const V*>(nullptr))));
template <misnamed V>
auto over(V) -> decltype(mistake_of<struct over_call, V>(diagnose_tag<V>()));

constexpr over_count over(index_t count) {
    over_count shape{};
    shape.values.count = count;
    return shape;
}
template <index_t Count>
    requires is_fine<decltype(diagnose_extents<Count>())>
constexpr over_count over() {
    return over(Count);
}
template <index_t Count>
auto over() -> decltype(mistake_of<struct over_call, extent_is_not_positive<Count>>(diagnose_extents<Count>()));
template <class... A>
    requires(sizeof...(A) != 1)
auto over(A const&...) -> mistake<arguments_are_not_those_of<struct over_call, A...>, struct count_over_a_buffer_or_an_integer>;

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
template <index_t X, index_t Y = 1, index_t Z = 1>
auto grid() -> decltype(mistake_of<struct grid_call, extent_is_not_positive<X, Y, Z>>(diagnose_grid<X, Y, Z>()));
template <class... A>
    requires(sizeof...(A) == 0 || sizeof...(A) > 3 || ((!std::is_convertible_v<A, unsigned> || std::is_floating_point_v<A>) || ...))
auto grid(A const&...) -> mistake<arguments_are_not_those_of<struct grid_call, A...>, struct give_one_to_three_numbers_of_blocks>;

}  // namespace cograph::core
