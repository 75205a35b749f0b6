// SPDX-License-Identifier: Apache-2.0
// reason: function_cannot_take_steps
// expect: function_cannot_take_steps
#include <cograph.hpp>
#include <cograph/stepwise.hpp>

#include <span>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct total : scalar<total, float> {} total;

constexpr auto sum = reduce(out(total), in(x));

struct look_at_number {
    void operator()(int) const {}
};

void look(std::span<float> memory) {
    // [wrong]
    simulate_stepwise(sum, look_at_number{}, x(memory));  // here
    // [/wrong]
}
