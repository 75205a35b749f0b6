// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.hpp>

inline constexpr struct x : cograph::buffer<x, double> {} x;

struct double_element {
    COGRAPH_HD void operator()(cograph::index_t i, double* values) const { values[i] *= 2; }
};

inline auto double_it() { return cograph::for_each(cograph::over(x), double_element{})(cograph::inout(x)); }

// The same from two sources of one program.
double doubled_by_main();
double doubled_by_other();
#ifdef CONSUMER_CUDA
double doubled_by_gpu();
double doubled_by_other_gpu();
#endif
