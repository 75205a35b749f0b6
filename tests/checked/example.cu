// SPDX-License-Identifier: Apache-2.0

// The same as CUDA, for examples that have no form for the host alone.

#include "example.cpp"
