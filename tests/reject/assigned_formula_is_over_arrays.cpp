// SPDX-License-Identifier: Apache-2.0
// reason: assigned_formula_is_over_arrays
// expect: assigned_formula_is_over_arrays<s>
// expect: write_reduce_or_transform_reduce_out_s
#include "names.hpp"

// [wrong]
const auto wrong = assign(s, max_abs(x));  // here
// [/wrong]
