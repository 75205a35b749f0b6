// SPDX-License-Identifier: Apache-2.0
#include "gpu.cuh"

double doubled_by_gpu() { return doubled_on_gpu(); }

double doubled_by_type(decltype(double_by_temp()) const& e, odd_size) {
    double values[] = {1, 2, 3};
    cograph::simulate(e, x(values));
    return values[2];
}
