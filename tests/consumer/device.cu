// SPDX-License-Identifier: Apache-2.0
#include "gpu.cuh"

double doubled_by_gpu() { return doubled_on_gpu(); }
