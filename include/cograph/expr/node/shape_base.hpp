// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/node/launch_shape.hpp>
#include <cograph/expr/variable/argument.hpp>

namespace cograph::core {

// A number of blocks, threads or bytes, as a launch takes it; a number beyond its range becomes the greatest, which
// no launch may ask for.
constexpr unsigned launch_size(index_t size) { return size < 0 || size > index_t{0xffffffff} ? ~0u : static_cast<unsigned>(size); }

// A size of a shape: an integer of the host.
template <class T>
inline constexpr bool is_launch_size = std::is_convertible_v<T, index_t> && !std::is_floating_point_v<T>;

// A shape with the attributes of kernels.
template <class Shape>
struct kernel_shape;
template <class Shape, int Size>
struct group_shape;
template <class Shape, class T, class N>
struct shape_with_memory;
template <class Shape, class Length>
struct first_shape;
template <class Shape, class Subset>
struct subset_shape;
template <int Stride, int Offset>
struct strided_subset;
template <int Colour>
struct coloured_subset;
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

// A launch shape. Derived shapes define the number of blocks. Sizes are given when the program runs, or in angle
// brackets: .block<128>() is .block(128), checked by the compiler.
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
    template <index_t X, index_t Y = 1, index_t Z = 1>
        requires is_fine<decltype(diagnose_block<X, Y, Z>())>
    constexpr Self block() const {
        return block(X, Y, Z);
    }

    // Dynamic shared memory in bytes.
    constexpr Self shared(index_t bytes) const {
        Self changed = static_cast<const Self&>(*this);
        changed.values.shared = launch_size(bytes);
        return changed;
    }
    template <index_t Bytes>
        requires is_fine<decltype(diagnose_shared<Bytes>())>
    constexpr Self shared() const {
        return shared(Bytes);
    }

    // A group of threads for each element, in place of one: a power of two of them, 1 to 1 024.
    template <int Size>
        requires is_fine<decltype(diagnose_group_size<Size>())>
    constexpr group_shape<Self, Size> group() const {
        return {{{values}}};
    }

    // The first elements alone, as many as an integer scalar says when the node runs.
    template <class Length>
        requires is_fine<decltype(diagnose_length<Self, Length>())>
    constexpr auto first(Length) const {
        return Self::template with_length<Length>(values);
    }

    // Elements Offset, Offset + Stride, and so on; of a box, those whose indices add up to an even number (0) or an odd one (1).
    template <int Stride, int Offset = 0>
        requires is_fine<decltype(diagnose_every<Self, Stride, Offset>())>
    constexpr auto every() const {
        return subset_shape<Self, strided_subset<Stride, Offset>>{static_cast<const Self&>(*this)};
    }
    template <int Colour>
        requires is_fine<decltype(diagnose_checkerboard<Self, Colour>())>
    constexpr auto checkerboard() const {
        return subset_shape<Self, coloured_subset<Colour>>{static_cast<const Self&>(*this)};
    }

    // Of a box of two dimensions: sums over more than 1024 x 1024 elements are joined in patches, too, so that tiles of large boxes can stay on chip. All nodes of
    // a loop take the same shape. The bits of such sums are others than without it.
    template <class Box = Self>
        requires is_fine<decltype(diagnose_patches<Box>())>
    constexpr auto in_patches() const {
        return shape_in_patches(static_cast<Box const&>(*this));
    }

    // For kernels only. Blocks of a cluster; the number of blocks is rounded up to whole clusters if it follows from
    // elements.
    constexpr auto cluster(index_t x, index_t y = 1, index_t z = 1) const {
        kernel_shape<bare_shape_t<Self>> changed{{values}};
        const unsigned sides[] = {launch_size(x), launch_size(y), launch_size(z)};
        changed.values.cluster = sides[0] < 256 && sides[1] < 256 && sides[2] < 256 ? sides[0] | sides[1] << 8 | sides[2] << 16 : ~0u;
        return changed;
    }
    template <index_t X, index_t Y = 1, index_t Z = 1>
        requires is_fine<decltype(diagnose_cluster<X, Y, Z>())>
    constexpr auto cluster() const {
        return cluster(X, Y, Z);
    }
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
    // After another programmatic kernel it begins when all blocks of that one have called
    // cudaTriggerProgrammaticLaunchCompletion or ended. It calls cudaGridDependencySynchronize before it accesses
    // shared memory of other nodes, and at the latest before it ends.
    constexpr auto programmatic() const {
        kernel_shape<bare_shape_t<Self>> changed{{values}};
        changed.values.programmatic = true;
        return changed;
    }

    // Refused calls.
    template <class... A>
        requires(!is_launch_size<A> || ...)
    auto block(A...) const -> mistake<arguments_are_not_those_of<struct block_call, A...>, struct give_one_to_three_whole_numbers_of_threads>;
    template <index_t X, index_t Y = 1, index_t Z = 1>
    auto block() const -> decltype(mistake_of<struct block_call, Self, word<extent_is_not_positive<X, Y, Z>>>(diagnose_block<X, Y, Z>()));
    template <class... A>
        requires(!is_launch_size<A> || ...)
    auto shared(A...) const -> mistake<arguments_are_not_those_of<struct shared_call, A...>, struct give_a_whole_number_of_bytes>;
    template <index_t Bytes>
    auto shared() const -> decltype(mistake_of<struct shared_call, Self, extent_is_not_positive<Bytes>>(diagnose_shared<Bytes>()));
    template <int Size>
    auto group() const -> decltype(mistake_of<struct group_call_of_shape, Self, extent_is_not_positive<Size>>(diagnose_group_size<Size>()));
    template <int Stride, int Offset = 0>
    auto every() const -> decltype(mistake_of<struct every_call, Self, word<extent_is_not_positive<Stride, Offset>>>(diagnose_every<Self, Stride, Offset>()));
    template <class Box = Self>
    auto in_patches() const -> decltype(mistake_of<struct in_patches_call, Box>(diagnose_patches<Box>()));
    template <int Colour>
    auto checkerboard() const -> decltype(mistake_of<struct checkerboard_call, Self, word<extent_is_not_positive<Colour>>>(diagnose_checkerboard<Self, Colour>()));
    template <class Length>
    auto first(Length) const -> decltype(mistake_of<struct first_call, Self, Length>(diagnose_length<Self, Length>()));
    template <class... A>
        requires(sizeof...(A) != 1)
    auto first(A const&...) const -> mistake<arguments_are_not_those_of<struct first_call, A...>, struct give_the_scalar_that_says_how_many>;
    template <class... A>
        requires(!is_launch_size<A> || ...)
    auto cluster(A...) const -> mistake<arguments_are_not_those_of<struct cluster_call, A...>, struct give_one_to_three_whole_numbers_of_blocks>;
    template <index_t X, index_t Y = 1, index_t Z = 1>
    auto cluster() const -> decltype(mistake_of<struct cluster_call, Self, extent_is_not_positive<X, Y, Z>>(diagnose_cluster<X, Y, Z>()));
    template <class... A>
        requires(!is_launch_size<A> || ...)
    auto priority(A...) const -> mistake<arguments_are_not_those_of<struct priority_call, A...>, struct give_a_whole_number>;
};

}  // namespace cograph::core
