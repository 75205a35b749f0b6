// reason: function_cannot_take_steps
// expect: function_cannot_take_steps
#include <cograph.hpp>
#include <cograph/stepwise.hpp>

#include <span>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct total : scalar<total, float> {} total;

constexpr auto sum = reduce(out(total), in(x));

void look(std::span<float> memory) {
    simulate_stepwise(sum, [](int) {}, x(memory));  // here
}
