// reason: predicate_never_changes
// expect: predicate_never_changes
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct error_norm : scalar<error_norm, float> {} error_norm;
inline constexpr struct x : buffer<x, float> {} x;

const auto wrong = loop_while(error_norm > 0.1f, fill(out(x), 1));  // here
