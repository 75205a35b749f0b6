// SPDX-License-Identifier: Apache-2.0
#pragma once

// A kernel that decides, and a body, for the files that must not compile.
#include "names.hpp"

#include <cograph/decided_by.hpp>

#ifdef __CUDACC__
#define KERNEL __global__
#else
#define KERNEL
#endif
KERNEL void is_done(const float*, unsigned long long, unsigned long long);
#undef KERNEL
const auto body = for_each(over(x), twice{})(inout(x[each]));
