// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.hpp>

inline constexpr struct x : cograph::buffer<x, double> {} x;

struct double_element {
    COGRAPH_HD void operator()(cograph::index_t i, double* values) const { values[i] *= 2; }
};

inline auto double_it() { return cograph::for_each(cograph::over(x), double_element{})(cograph::inout(x)); }

// An expression and a size that is a formula are one type for every compiler of a program: else the call of the function does not link.
using odd_size = cograph::elements<2 * cograph::extent(x) + 1>;
inline constexpr struct room : cograph::temp<room, double, odd_size> {} room;

struct multiply {
    COGRAPH_HD void operator()(cograph::index_t i, const double* by, double* values) const { values[i] *= by[2 * i + 1]; }
};

inline auto double_by_temp() {
    using namespace cograph;
    return seq(fill(out(room), 2.0), for_each(over(x), multiply{})(in(room), inout(x)));
}

// The same from two sources of one program.
double doubled_by_main();
double doubled_by_other();
#ifdef CONSUMER_CUDA
double doubled_by_gpu();
double doubled_by_type(decltype(double_by_temp()) const& e, odd_size);
double doubled_by_other_gpu();
#endif
