// SPDX-License-Identifier: Apache-2.0
// reason: has_many_values
// expect: has_many_values<x>
// expect: ask_the_step_for_its_span
#include "names.hpp"

#include <cograph/stepwise.hpp>

constexpr auto sum = reduce(out(s), in(x));

// [wrong]
void look(core::step<std::remove_const_t<decltype(sum)>> const& step) {
    const auto first = step.value(x);  // here
}
// [/wrong]
