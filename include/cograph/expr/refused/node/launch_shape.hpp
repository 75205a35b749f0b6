// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/launch_limits.hpp>
#include <cograph/expr/reasons/node_reasons.hpp>
#include <cograph/expr/refused/variable/access_mode.hpp>

namespace cograph::core {

// Refused calls of launch shapes.

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

template <int Size>
constexpr auto diagnose_group_size() {
    if constexpr (is_group_size(Size))
        return fine{};
    else
        return group_size_is_no_power_of_two<Size>{};
}
// Members of the first elements alone.
template <class Shape, class Length>
struct first_shape;
template <class Shape, int Size>
struct group_shape;
template <class S>
inline constexpr bool has_length = false;
template <class Shape, class Length>
inline constexpr bool has_length<first_shape<Shape, Length>> = true;
template <class Shape, int Size>
inline constexpr bool has_length<group_shape<Shape, Size>> = has_length<Shape>;

template <class V>
concept counts_first_elements = variable<V> && V::kind == variable_kind::scalar && std::is_integral_v<typename V::element> &&
                                !std::is_same_v<typename V::element, bool>;
template <class Shape, class Length>
constexpr auto diagnose_length() {
    if constexpr (has_length<Shape> || !requires { Shape::template with_length<Length>; })
        return shape_takes_no_length<Shape>{};
    else if constexpr (misnamed<Length>)
        return diagnose_tag<Length>();
    else if constexpr (!counts_first_elements<Length>)
        return length_is_no_integer_scalar<Length>{};
    else
        return fine{};
}
// Subsets.
template <class Shape>
inline constexpr bool has_every = false;
template <class V>
struct over_t;
template <class V>
inline constexpr bool has_every<over_t<V>> = true;
struct over_count;
template <>
inline constexpr bool has_every<over_count> = true;
template <long long Count>
struct over_constant;
template <long long Count>
inline constexpr bool has_every<over_constant<Count>> = true;
template <class Shape>
inline constexpr bool has_colours = false;
template <class Domain, class... Side>
struct box_shape;
template <class Domain, class... Side>
inline constexpr bool has_colours<box_shape<Domain, Side...>> = true;

template <class Shape, int Stride, int Offset>
constexpr auto diagnose_every() {
    if constexpr (!has_every<Shape>)
        return shape_has_no_such_subset<Shape>{};
    else if constexpr (Stride < 1 || Offset < 0 || Offset >= Stride)
        return not_a_subset<Stride, Offset>{};
    else
        return fine{};
}
template <class Shape>
constexpr auto diagnose_patches() {
    if constexpr (requires { requires Shape::rank == 2; })
        return fine{};
    else
        return shape_has_no_patches<Shape>{};
}
template <class Shape, int Colour>
constexpr auto diagnose_checkerboard() {
    if constexpr (!has_colours<Shape>)
        return shape_has_no_such_subset<Shape>{};
    else if constexpr (Colour < 0 || Colour > 1)
        return not_a_subset<2, Colour>{};
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

// The members of an mdspan's extents.
template <class E>
concept has_extents = requires(E const& e) {
    requires E::rank() == 2 || E::rank() == 3;
    { e.extent(0) } -> std::convertible_to<index_t>;
};

// A scalar's number is read on the device, and threads are counted before; for one element use single_task.
template <class V>
concept counts_elements = (in_memory<V> && V::kind != variable_kind::scalar) ||
                          (variable<V> && V::kind == variable_kind::value && std::is_integral_v<typename V::element>);

template <class V>
choose<in_memory<V>, scalar_counts_no_elements<V>, does_not_count_elements<V>> why_no_count(const V*);
template <class V>
    requires(!counts_elements<V> && !misnamed<V> && !has_extents<V> && (!std::is_convertible_v<V, index_t> || std::is_floating_point_v<V>))
auto over(V) -> decltype(mistake_of<struct over_call, V>(why_no_count(static_cast<const V*>(nullptr))));
template <misnamed V>
auto over(V) -> decltype(mistake_of<struct over_call, V>(diagnose_tag<V>()));

template <index_t Count>
auto over() -> decltype(mistake_of<struct over_call, extent_is_not_positive<Count>>(diagnose_extents<Count>()));
template <class... A>
    requires(sizeof...(A) == 0 || sizeof...(A) > 3)
auto over(A const&...) -> mistake<arguments_are_not_those_of<struct over_call, A...>, struct count_over_a_buffer_or_one_to_three_integers>;

template <index_t X, index_t Y = 1, index_t Z = 1>
auto grid() -> decltype(mistake_of<struct grid_call, extent_is_not_positive<X, Y, Z>>(diagnose_grid<X, Y, Z>()));
template <class... A>
    requires(sizeof...(A) == 0 || sizeof...(A) > 3 || ((!std::is_convertible_v<A, unsigned> || std::is_floating_point_v<A>) || ...))
auto grid(A const&...) -> mistake<arguments_are_not_those_of<struct grid_call, A...>, struct give_one_to_three_numbers_of_blocks>;

}  // namespace cograph::core
