// reason: has_no_time_of_its_own
// only: nvcc
// expect: has_no_time_of_its_own
#include <cograph/profile.cuh>

#include <span>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;

constexpr auto filling = repeat(3, fill(out(x), 1));

double microseconds(std::span<float> memory) {
    const auto times = profile(nullptr, filling, x(memory));
    return times.of(at<0>).total;  // here
}
