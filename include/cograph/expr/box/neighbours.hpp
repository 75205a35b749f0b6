// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

#include <type_traits>

namespace cograph::core {

// The position of an element: its number, its indices, and the sides of its box.
template <int Rank>
struct box_place {
    index_t number;
    index_t at[Rank];
    index_t sides[Rank];

    COGRAPH_HD constexpr operator index_t() const { return number; }
};

// A read that a function object may not make, on the host.
struct refused_read {
    const void* memory;  // of the variable
    bool too_far;        // beyond the radius; else outside of the box
    int offset[3];
};

}  // namespace cograph::core

namespace cograph {

// The argument of a function object for x[near<...>]: the elements around its own. x.at(0, 1) is the next one in the
// row, and *x its own one. In one dimension, x[-1] is x.at(-1). x.inside(0, 1) tells whether there is such an
// element. If not, x.at_or(otherwise, 0, 1) is `otherwise`. On the host, reads beyond the radius and reads of
// missing elements are refused.
template <class T, int... Radius>
class neighbours {
public:
    static constexpr int rank = sizeof...(Radius);
    static constexpr int radius[rank] = {Radius...};

    // `own` is the element of x at this place. In two dimensions, the next row is pitch[0] elements further in memory. In three
    // dimensions, the next plane is pitch[0] elements further, and the next row pitch[1].
    COGRAPH_HD constexpr neighbours(const T* own, core::box_place<rank> const& place, index_t pitch0 = 0, index_t pitch1 = 0)
        : own_(own), place_(place), pitch_{pitch0, pitch1} {}

    template <class... D>
        requires(sizeof...(D) == sizeof...(Radius) && (std::is_convertible_v<D, int> && ...))
    COGRAPH_HD constexpr const T& at(D... offset) const {
        const int by[] = {static_cast<int>(offset)...};
#if !defined(__CUDA_ARCH__)
        allow(by);
#endif
        return own_[distance(by)];
    }
    template <class... D>
        requires(sizeof...(D) == sizeof...(Radius) && (std::is_convertible_v<D, int> && ...))
    COGRAPH_HD constexpr bool inside(D... offset) const {
        const int by[] = {static_cast<int>(offset)...};
        return is_inside(by);
    }
    template <class... D>
        requires(sizeof...(D) == sizeof...(Radius) && (std::is_convertible_v<D, int> && ...))
    COGRAPH_HD constexpr T at_or(T otherwise, D... offset) const {
        return inside(offset...) ? at(offset...) : otherwise;
    }
    COGRAPH_HD constexpr const T& operator*() const { return *own_; }
    COGRAPH_HD constexpr const T& operator[](int offset) const
        requires(rank == 1)
    {
        return at(offset);
    }

private:
    COGRAPH_HD constexpr bool is_inside(const int (&by)[rank]) const {
        bool is = true;
        for (int d = 0; d < rank; ++d) {
            const index_t there = place_.at[d] + by[d];
            is = is && (by[d] >= 0 || there >= 0) && (by[d] <= 0 || there < place_.sides[d]);
        }
        return is;
    }
    COGRAPH_HD constexpr index_t distance(const int (&by)[rank]) const {
        index_t all = by[rank - 1];
        for (int d = 0; d < rank - 1; ++d) all += by[d] * pitch_[d];
        return all;
    }
#if !defined(__CUDA_ARCH__)
    constexpr void allow(const int (&by)[rank]) const {
        bool too_far = false;
        for (int d = 0; d < rank; ++d) too_far = too_far || by[d] > radius[d] || by[d] < -radius[d];
        if (!too_far && is_inside(by)) return;
        core::refused_read read{own_ - place_.number, too_far, {}};
        for (int d = 0; d < rank; ++d) read.offset[d] = by[d];
        throw core::refused_read(read);
    }
#endif

    const T* own_;
    core::box_place<rank> place_;
    index_t pitch_[2];
};

}  // namespace cograph
