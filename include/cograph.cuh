// SPDX-License-Identifier: Apache-2.0
#pragma once

// The language and the CUDA runtime: all that a CUDA program includes.

#include <cograph.hpp>
#include <cograph/run/eager.cuh>
#include <cograph/run/executable.cuh>
