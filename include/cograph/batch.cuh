// SPDX-License-Identifier: Apache-2.0
#pragma once

// Batches on a GPU. cograph.cuh does not include this.

#include <cograph.cuh>
#include <cograph/batch.hpp>
#include <cograph/run/batch/cluster_kernel.cuh>
#include <cograph/run/batch/outcome_report.cuh>

namespace cograph {

using core::loops_of_problems;
using core::summarize;

}  // namespace cograph
