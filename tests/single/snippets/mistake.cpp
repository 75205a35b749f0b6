// SPDX-License-Identifier: Apache-2.0
// For Compiler Explorer: the branches of par must not race. With -DSHOW the compiler says which variable they race on.
#include <cograph.hpp>

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;

#ifdef SHOW
constexpr auto wrong = par(copy(in(x), out(y)), fill(out(y), 0));
#endif
static_assert(diagnose<decltype(par(copy(in(x), out(y)), fill(out(y), 0)))> != reason::fine{});

int main() { return 0; }
