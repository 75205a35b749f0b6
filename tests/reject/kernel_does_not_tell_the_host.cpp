// SPDX-License-Identifier: Apache-2.0
// reason: kernel_does_not_tell_the_host
// expect: kernel_does_not_tell_the_host<kernel_function<is_done>>
// expect: decide_by_a_predicate
#include "decided.hpp"

#include <cograph/host_driven.hpp>

struct print {
    void operator()(const float*) const {}
};

// [wrong]
const auto wrong = loop_while(decided_by<is_done>(grid(1))(x, conditional_handle, 3), seq(body, host(print{})(in(x))));  // here
// [/wrong]
