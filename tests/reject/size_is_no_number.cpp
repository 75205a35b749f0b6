// SPDX-License-Identifier: Apache-2.0
// reason: size_is_no_number
// expect: size_is_no_number<is_far, points>
// expect: return_a_number_for_each_element
#include "names.hpp"

// [wrong]
struct point {
    float x, y;
};
struct is_far {
    COGRAPH_HD bool operator()(const point& from) const { return from.x > 3 || from.y > 3; }
};
inline constexpr struct points : buffer<points, point> {} points;
const auto wrong = when(max_abs(points, is_far{}) > 3, fill(out(x), 1));  // here
// [/wrong]
