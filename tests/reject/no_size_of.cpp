// SPDX-License-Identifier: Apache-2.0
// reason: no_size_of
// expect: no_size_of<double>
// expect: write_sizes_over_extents_integers_and_integer_values
#include "names.hpp"

// [wrong]
struct half : temp<half, float, elements<2.5 * extent(x)>> {};  // here
// [/wrong]
