// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/near.hpp>
#include <cograph/expr/node/stage.hpp>

#include <cstdint>

namespace cograph::core {

// A quotient in 32 bits if that is enough: in 64 bits it takes a GPU many times as long.
struct quotient_and_rest {
    index_t quotient, rest;
};
COGRAPH_HD constexpr quotient_and_rest divide(index_t number, index_t by) {
    if ((static_cast<std::uint64_t>(number | by) >> 32) == 0) {
        const std::uint32_t n = static_cast<std::uint32_t>(number), d = static_cast<std::uint32_t>(by);
        return {static_cast<index_t>(n / d), static_cast<index_t>(n % d)};
    }
    return {number / by, number % by};
}

// The position of element i in a box of planes, rows and columns.
template <int Rank>
COGRAPH_HD constexpr box_place<Rank> place_of(index_t i, index_t a, index_t b = 1, index_t c = 1) {
    if constexpr (Rank == 1) {
        return {i, {i}, {a}};
    } else if constexpr (Rank == 2) {
        const quotient_and_rest at = divide(i, b);
        return {i, {at.quotient, at.rest}, {a, b}};
    } else {
        const quotient_and_rest row = divide(i, c), plane = divide(row.quotient, b);
        return {i, {plane.quotient, plane.rest, row.rest}, {a, b, c}};
    }
}
// In a tile of a persistent kernel it is known.
template <int Rank, class... Side>
COGRAPH_HD constexpr box_place<Rank> place_in_box(index_t i, Side const&... sides) {
    return place_of<Rank>(i, static_cast<index_t>(unwrap(sides))...);
}
template <int Rank, class... Side>
COGRAPH_HD constexpr box_place<Rank> const& place_in_box(box_place<Rank> const& known, Side const&...) {
    return known;
}

}  // namespace cograph::core
