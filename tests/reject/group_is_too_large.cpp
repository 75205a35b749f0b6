// SPDX-License-Identifier: Apache-2.0
// reason: group_is_too_large
// expect: group_is_too_large<sum_of_row, 512>
// expect: give_256_threads_at_most_or_write_for_each_and_reduce
#include "names.hpp"

struct sum_of_row {
    template <class Group>
    COGRAPH_HD float operator()(Group const& group, index_t row, const float* values) const {
        return group.transform_reduce(1000, [&](int k) { return values[row * 1000 + k]; }, plus{});
    }
};

// [wrong]
const auto wrong = transform_reduce(over(y).group<512>(), sum_of_row{}, maximum{})(out(s), in(x));  // here
// [/wrong]
