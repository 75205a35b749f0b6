// SPDX-License-Identifier: Apache-2.0

// The same as CUDA, for examples that nvcc alone compiles.

#include "example.cpp"
