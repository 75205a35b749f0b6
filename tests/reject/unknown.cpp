// reason: unknown_variable
// expect: unknown_variable
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;

void run(float* memory) {
    simulate(fill(out(x), 1), x(memory, 8), y(memory, 8));  // here
}
