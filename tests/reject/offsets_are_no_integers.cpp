// SPDX-License-Identifier: Apache-2.0
// reason: offsets_are_no_integers
// expect: offsets_are_no_integers<x>
// expect: give_an_array_of_integers_that_ascend
#include "names.hpp"

struct term_of {
    COGRAPH_HD float operator()(index_t, index_t k, const float* terms) const { return terms[k]; }
};

// [wrong]
const auto wrong = segmented_reduce(over(y), term_of{}, plus{})(out(z), in(x), in(y));  // here
// [/wrong]
