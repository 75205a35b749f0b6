// SPDX-License-Identifier: Apache-2.0
#pragma once

// One expression for each of many problems, each with its own end. cograph.hpp does not include this.

#include <cograph/expr/core/reason.hpp>  // first: compilers print by which files they came to it

#include <cograph/host/batch/batch_code.hpp>
#include <cograph/plan/batch/batch.hpp>

#include <cograph.hpp>

namespace cograph {

using core::batch;
using core::in_clusters;
using core::loop_outcome;
using core::of_each;
using core::outcome_summary;
using core::report_of_each;
using core::summarize;

}  // namespace cograph
