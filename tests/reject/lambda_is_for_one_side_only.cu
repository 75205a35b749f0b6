// SPDX-License-Identifier: Apache-2.0
// reason: lambda_is_for_one_side_only
// expect: lambda_is_for_one_side_only<lambda []
// expect: write_COGRAPH_HD_after_its_brackets_and_pass_extended_lambda_to_nvcc_or_write_a_struct
#include "names.hpp"

#include <cograph.cuh>

void run() {
    // [wrong]
    const auto wrong = for_each(over(x), [](index_t, float& element) { element *= 2; })(inout(x[each]));  // here
    // [/wrong]
}
