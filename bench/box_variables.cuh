// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>

// What the benchmarks of boxes, of two and of three dimensions, compute with.
namespace box_variables {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {
} x;
inline constexpr struct y : buffer<y, double> {
} y;
inline constexpr struct side : value<side, int> {
} side;

}  // namespace box_variables
