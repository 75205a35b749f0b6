// SPDX-License-Identifier: Apache-2.0
// reason: host_work_is_in_a_body
// expect: host_work_is_in_a_body<print
// expect: put_it_before_or_after_the_loop_or_branch_or_include_cograph_host_driven
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
struct print {
    void operator()(const float*) const {}
};

// [wrong]
const auto wrong = repeat(3, seq(fill(out(x), 1), host(print{})(in(x))));  // here
// [/wrong]
