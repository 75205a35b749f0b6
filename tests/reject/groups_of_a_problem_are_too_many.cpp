// SPDX-License-Identifier: Apache-2.0
// reason: groups_of_a_problem_are_too_many
// expect: groups_of_a_problem_are_too_many<sum_of_group, 
// expect: limit_is<15>
// expect: let_the_node_have_larger_groups_or_the_problem_fewer_threads
#include "names.hpp"

#include <cograph/batch.hpp>

struct sum_of_group {
    template <class Group>
    COGRAPH_HD float operator()(Group const&, index_t, const float& element) const { return element; }
};
// [wrong]
const auto wrong = batch(over(10).group<1024>(), transform_reduce(over(y).group<64>(), sum_of_group{}, plus{})(out(s), in(y[each])))(of_each(y));  // here
// [/wrong]
