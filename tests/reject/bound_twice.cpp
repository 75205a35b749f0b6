// reason: variable_bound_twice
// expect: variable_bound_twice
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;

void run(float* memory) {
    simulate(fill(out(x), 1), x(memory, 8), x(memory, 4));  // here
}
