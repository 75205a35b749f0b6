// SPDX-License-Identifier: Apache-2.0
#pragma once

// The language and the CUDA runtime: all that a CUDA program includes.

#ifndef __CUDACC__
#error "cograph.cuh needs nvcc: name the file .cu and compile it with nvcc, or include <cograph.hpp>, which needs no CUDA"
#include <cograph/needs/nvcc>
#endif

#include <cograph/expr/core/reason.hpp>  // first: compilers print by which files they came to it

#include <cograph/all_but_operators.hpp>

#include <cograph/run/graph/executable.cuh>
#include <cograph/run/graph/lowering_queries.cuh>
#include <cograph/run/launch/eager.cuh>
#include <cograph/run/stream/captured.cuh>
#include <cograph/run/stream/copies.cuh>
#include <cograph/run/stream/host_work.cuh>

#include <cograph.hpp>

namespace cograph {

using core::cuda_error;
using core::executable;
using core::instantiate;
using core::allow_concurrent_graphs;
using core::pool;
using core::run_on;
using core::captures_on;
using core::use;
using core::write_cuda_dot;

}  // namespace cograph
