// reason: has_many_values
// expect: has_many_values
#include <cograph.hpp>
#include <cograph/stepwise.hpp>

#include <span>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct total : scalar<total, float> {} total;

constexpr auto sum = reduce(out(total), in(x));

void look(std::span<float> memory) {
    simulate_stepwise(sum, [](auto const& step) { return step.value(x) > 0; }, x(memory));  // here
}
