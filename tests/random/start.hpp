// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <exception>

#ifdef __CUDACC__
#include <cuda_runtime_api.h>
#endif

namespace random_programs {

// Runs them all and says how it went; the exit code.
template <class Run>
int report(int programs, Run run) {
#ifdef __CUDACC__
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::printf("no GPU: GPU tests skipped\n");
        return 0;
    }
#endif
    try {
        const int wrong = run();
        std::printf("%d random programs, %d ways went wrong\n", programs, wrong);
        return wrong != 0;
    } catch (const std::exception& e) {
        std::printf("%s\n", e.what());
        return 2;
    }
}

}  // namespace random_programs
