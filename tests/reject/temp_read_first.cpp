// reason: temp_read_before_written
// expect: temp_read_before_written
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct work : temp<work, float, struct x> {} work;

void run(float* memory) {
    simulate(seq(when(n > 0, fill(out(work), 1)), copy(in(work), out(x))), x(memory, 8), n(1));  // here
}
