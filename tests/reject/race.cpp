// reason: branches_race_on
// expect: branches_race_on
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;

const auto wrong = par(fill(out(x), 1), copy(in(x), out(y)));  // here
