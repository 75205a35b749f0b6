// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>

#include "double_it.hpp"

// Where there is no GPU, building and linking is the test.
inline double doubled_on_gpu() {
    int devices = 0;
    double* values = nullptr;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
        return 6;
    if (cudaMallocManaged(&values, 3 * sizeof(double)) != cudaSuccess)
        return -1;
    for (int i = 0; i < 3; ++i)
        values[i] = i + 1;
    {
        auto exec = cograph::instantiate(double_it(), x(values, 3));
        exec.launch(nullptr);
        cudaDeviceSynchronize();
    }
    const double last = values[2];
    cudaFree(values);
    return last;
}
