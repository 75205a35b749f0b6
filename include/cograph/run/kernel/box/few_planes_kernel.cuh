// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_stages.hpp>
#include <cograph/run/kernel/box/near_in_space.cuh>
#include <cograph/run/kernel/parameter_pack.cuh>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace cograph::core {

// The kernel of a node over a box of three dimensions that reads neighbours. A thread takes a few planes of a row of a warp: the elements beside those of
// a block are more often its own than those of a row are. Where the box has all planes and rows around, it reads everything before it writes.

// An element of a box with fewer than 2^31.
struct element_of_box {
    int plane, row, column;
    int planes, rows, columns;

    __device__ int number() const { return (plane * rows + row) * columns + column; }
    __device__ element_of_box behind(int k) const { return {plane + k, row, column, planes, rows, columns}; }
};

template <class P>
__device__ P const& read_around(P const& p, element_of_box const&) {
    return p;
}
template <class T, int Planes, int Rows, int Columns>
__device__ near_in_space<std::remove_const_t<T>, true, Planes, Rows, Columns> read_around(near_pointer<T, Planes, Rows, Columns> p, element_of_box const& element) {
    return {p.at + element.number(), element.rows * element.columns, element.columns};
}
// Others would need many registers.
template <class P>
inline constexpr bool reads_little = true;
template <class T, int Planes, int Rows, int Columns>
inline constexpr bool reads_little<near_pointer<T, Planes, Rows, Columns>> = Planes <= 1 && Rows <= 1 && Columns <= 1 && sizeof(T) <= most_register_copy_bytes;

// What follows the node's work: a term of each element, with what the node has read if that is known. Those of all planes are joined together.
struct no_terms {
    struct none {};
    template <class... Known>
    __device__ none term(Known const&...) const {
        return {};
    }
    __device__ void join(index_t, none) const {}
    __device__ void join_all(element_of_box const&, const none (&)[few_planes]) const {}
};

template <class Stage, class N, class... P>
struct few_planes_of_thread {
    static constexpr bool reads_at_once = (reads_little<P> && ...);
    using numbers = std::make_integer_sequence<int, sizeof...(P)>;
    using parameters = parameter_pack<numbers, std::remove_cvref_t<decltype(read_around(std::declval<P const&>(), std::declval<element_of_box const&>()))>...>;

    template <class Terms>
    __device__ static void run(element_of_box element, Terms& terms, N const& n, P const&... p) {
        if constexpr (reads_at_once) {
            // Beside the first and last planes, elements before and after a row are elements of the array, too.
            if (element.plane > 1 && element.plane + few_planes + 1 < element.planes && element.row > 0 && element.row + 1 < element.rows) {
                run_all(std::make_integer_sequence<int, few_planes>{}, element, terms, n, p...);
                return;
            }
        }
        for (int k = 0; k < few_planes && element.plane < element.planes; ++k, ++element.plane) {
            Stage::at(place(element), n, p...);
            terms.join(element.number(), terms.term(place(element)));
        }
    }

private:
    __device__ static box_place<3> place(element_of_box const& e) { return {e.number(), {e.plane, e.row, e.column}, {e.planes, e.rows, e.columns}}; }
    template <int... K, class Terms>
    __device__ static void run_all(std::integer_sequence<int, K...> planes, element_of_box const& first, Terms& terms, N const& n, P const&... p) {
        const auto read = [&](element_of_box const& element) { return parameters(read_around(p, element)...); };
        const parameter_pack<decltype(planes), decltype(read(first.behind(K)))...> all(read(first.behind(K))...);
        asm volatile("" ::: "memory");  // the compiler may not move reads behind a test of the node
        using term = decltype(terms.term(place(first)));
        const term found[] = {(call(place(first.behind(K)), n, parameter<K>(all), numbers{}), terms.term(place(first.behind(K)), parameter<K>(all)))...};
        terms.join_all(first, found);
    }
    template <int... I>
    __device__ static void call(box_place<3> const& place, N const& n, parameters const& all, std::integer_sequence<int, I...>) {
        Stage::at(place, n, parameter<I>(all)...);
    }
};

// The places in memory of what a node reads around its elements and of what it writes.
struct places_of_node {
    std::uintptr_t read = 0, written = 0;

    template <class P>
    __device__ void look_at(P const&) {}
    template <class T, int... Radius>
    __device__ void look_at(near_pointer<T, Radius...> p) {
        read = reinterpret_cast<std::uintptr_t>(p.at);
    }
    template <class T>
    __device__ void look_at(element_pointer<T> p) {
        if constexpr (!std::is_const_v<T>) written = reinterpret_cast<std::uintptr_t>(p.at);
    }
};
// Beyond this many elements, a node that writes behind what it reads takes the parts of the box in the opposite order. Of two nodes that read what the other
// one writes, the second begins with what the first wrote last, while that is in the second-level cache. Measured on an H100.
constexpr index_t most_in_one_order = index_t{1} << 21;

// Of the columns of a block's rows: 32, or over a narrower box the next power of two, so that few threads are idle.
__device__ constexpr unsigned log_of_columns(int columns) { return static_cast<unsigned>((columns > 1) + (columns > 2) + (columns > 4) + (columns > 8) + (columns > 16)); }

// A block of 32 threads or more has several rows of its width, one below another; smaller ones have a column. The box may have more such parts than the
// grid has blocks.
template <class Stage, class Terms, class N, class... P>
__device__ void run_few_planes(Terms& terms, N const& n, P const&... p) {
    const index_t count = static_cast<index_t>(n);
    if (count >> 31 != 0) {
        for (index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += static_cast<index_t>(gridDim.x) * blockDim.x) {
            Stage::at(i, n, p...);
            terms.join(i, terms.term(i));
        }
        return;
    }
    const parameter_pack<std::make_integer_sequence<int, sizeof...(P)>, P...> given(p...);
    constexpr int first_side = Stage::traits.first_side - 1;
    const auto side = [&]<int D>(std::integral_constant<int, D>) { return static_cast<int>(static_cast<index_t>(unwrap(parameter<first_side + D>(given)))); };
    element_of_box element{0, 0, 0, side(std::integral_constant<int, 0>{}), side(std::integral_constant<int, 1>{}), side(std::integral_constant<int, 2>{})};
    const unsigned log_of_width = blockDim.x < 32 ? 0 : log_of_columns(element.columns), width = 1u << log_of_width;
    const unsigned height = blockDim.x >> log_of_width, row_of_block = threadIdx.x >> log_of_width;
    if (row_of_block >= height || count <= 0) return;  // a part of a warp has nothing to do
    const unsigned across = (static_cast<unsigned>(element.columns) + width - 1) >> log_of_width, down = (static_cast<unsigned>(element.rows) + height - 1) / height;
    const unsigned parts = across * down * ((static_cast<unsigned>(element.planes) + few_planes - 1) / few_planes);
    places_of_node places;
    (places.look_at(p), ...);
    const bool backwards = count > most_in_one_order && places.written > places.read;
    for (unsigned number = blockIdx.x; number < parts; number += gridDim.x) {
        const unsigned part = backwards ? parts - 1 - number : number;
        const unsigned line = part / across, layer = line / down;
        element.plane = static_cast<int>(layer * few_planes);
        const unsigned row = (line - layer * down) * height + row_of_block, column = ((part - line * across) << log_of_width) + (threadIdx.x & (width - 1));
        element.row = static_cast<int>(row);
        element.column = static_cast<int>(column);
        if (row < static_cast<unsigned>(element.rows) && column < static_cast<unsigned>(element.columns)) few_planes_of_thread<Stage, N, P...>::run(element, terms, n, p...);
    }
}

template <class Stage, class N, class... P>
__global__ void few_planes_kernel(N n, P... p) {
    no_terms terms;
    run_few_planes<Stage>(terms, n, p...);
}

}  // namespace cograph::core
