// SPDX-License-Identifier: Apache-2.0
// reason: prepare_and_finish_do_not_fit
// expect: prepare_and_finish_do_not_fit<add_weight>
// expect: let_finish_take_the_result_of_prepare_before_the_arguments
#include "names.hpp"

// [wrong]
struct add_weight {
    template <class Group>
    COGRAPH_HD float prepare(Group const&, index_t i, const float* weights, float*) const {
        return weights[i];
    }
    template <class Group>
    COGRAPH_HD void finish(Group const& group, index_t i, const float*, float* to, float weight) const {
        if (group.rank() == 0) to[i] += weight;
    }
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t i, const float* weights, float* to) const {
        finish(group, i, weights, to, prepare(group, i, weights, to));
    }
};
const auto wrong = for_each(over(x).group<32>(), add_weight{})(in(x), inout(y));  // here
// [/wrong]
