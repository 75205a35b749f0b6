// SPDX-License-Identifier: Apache-2.0
#include "gpu.cuh"

double doubled_by_other_gpu() { return doubled_on_gpu(); }
