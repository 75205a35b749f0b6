// SPDX-License-Identifier: Apache-2.0
// reason: group_of_a_problem_is_too_small
// expect: group_of_a_problem_is_too_small<sum_up, 
// expect: limit_is<64>
// expect: give_a_problem_as_many_threads_as_the_largest_group_in_it
#include "names.hpp"

#include <cograph/batch.hpp>

struct sum_up {
    template <class Group>
    COGRAPH_HD void operator()(Group const&, index_t, float& element) const { element = 0; }
};
// [wrong]
const auto wrong = batch(over(10).group<32>(), for_each(over(y).group<64>(), sum_up{})(out(y[each])))(of_each(y));  // here
// [/wrong]
