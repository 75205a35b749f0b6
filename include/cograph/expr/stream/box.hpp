// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/variable.hpp>

#include <type_traits>

namespace cograph::core {

// The part of two memories that is copied, all in elements: rows of `width`, slices of `height` rows, `depth` slices.
// A pitch is the distance from the start of a row to the start of the next, and 0 means the width; rows of a slice
// default to the height.
struct box {
    index_t width = 1, height = 1, depth = 1;
    index_t from_begin = 0, to_begin = 0;  // the first element
    index_t from_pitch = 0, to_pitch = 0;
    index_t from_rows = 0, to_rows = 0;
};

// One side of a box.
struct box_side {
    index_t begin, pitch, rows;
};
constexpr box_side from_side(const box& b) { return {b.from_begin, b.from_pitch ? b.from_pitch : b.width, b.from_rows ? b.from_rows : b.height}; }
constexpr box_side to_side(const box& b) { return {b.to_begin, b.to_pitch ? b.to_pitch : b.width, b.to_rows ? b.to_rows : b.height}; }
constexpr bool is_empty(const box& b) { return b.width == 0 || b.height == 0 || b.depth == 0; }

template <class B>
inline constexpr bool is_box = std::is_same_v<B, box>;
template <variable B>
inline constexpr bool is_box<B> = B::kind == variable_kind::value && std::is_same_v<typename B::element, box>;

}  // namespace cograph::core
