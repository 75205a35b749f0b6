// reason: unbound_variable
// expect: unbound_variable
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;

void run(float* memory) {
    simulate(copy(in(x), out(y)), x(memory, 8));  // here
}
