// SPDX-License-Identifier: Apache-2.0

// fragments.py makes libshrink.so of this file: with CUDA, or else with the same expression simulated on the host.
#ifdef __CUDACC__
#include "../shrink.cuh"
#else
#include "../recipes.hpp"

#include <cstddef>
#include <span>

extern "C" int shrink_tensor(double* data, long long n, double least, void*) {
    simulate(recipes::converge, recipes::x(std::span(data, static_cast<std::size_t>(n))), recipes::limit(least));
    return 0;
}
#endif
