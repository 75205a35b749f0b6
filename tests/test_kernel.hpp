// SPDX-License-Identifier: Apache-2.0
#pragma once

// Marks the kernels of tests that are built as C++ too, where a kernel is an ordinary function that is only named.
#ifdef __CUDACC__
#define TEST_KERNEL __global__
#else
#define TEST_KERNEL
#endif
