// SPDX-License-Identifier: Apache-2.0
#include "run_tests.hpp"

#include <cstdio>

#ifdef COGRAPH_TEST_GPU
#include <cuda_runtime_api.h>

static bool gpu_is_missing() {
    int count = 0;
    return cudaGetDeviceCount(&count) != cudaSuccess || count == 0;
}
#else
static bool gpu_is_missing() { return false; }
#endif

int main(int argc, char** argv) {
    if (gpu_is_missing()) {
        std::puts("no GPU: GPU tests skipped");
        return 0;
    }
    return run_tests(argc, argv);
}
