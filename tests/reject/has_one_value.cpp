// SPDX-License-Identifier: Apache-2.0
// reason: has_one_value
// expect: has_one_value
#include <cograph.hpp>
#include <cograph/stepwise.hpp>

#include <type_traits>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct total : scalar<total, float> {} total;

constexpr auto sum = reduce(out(total), in(x));

void look(core::step<std::remove_const_t<decltype(sum)>> const& step) {
    // [wrong]
    const auto memory = step.span(total);  // here
    // [/wrong]
}
