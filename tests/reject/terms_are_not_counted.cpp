// SPDX-License-Identifier: Apache-2.0
// reason: terms_are_not_counted
// expect: terms_are_not_counted<over_count>
// expect: write_over_of_the_array_with_the_terms
#include "names.hpp"

struct term_of {
    COGRAPH_HD float operator()(index_t, index_t k, const float* terms) const { return terms[k]; }
};
inline constexpr struct offsets : buffer<offsets, int> {} offsets;

// [wrong]
const auto wrong = segmented_reduce(over(1000), term_of{}, plus{})(out(y), in(offsets), in(x));  // here
// [/wrong]
