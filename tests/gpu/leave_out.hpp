// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

// What the GPU tests leave out when a tool such as compute-sanitizer runs them (sanitize.sh), as the environment says:
//   COGRAPH_TESTS_UNDER_TOOL=1            A tool looks on. It takes device memory itself, so a test ends, passed as far as it
//                                         came, where it asks how much is free; and nothing counts as hanging.
//   COGRAPH_TESTS_WITHOUT_CONDITIONALS=1  The tool cannot follow the bodies of conditional nodes. A test, or section, ends where
//                                         it launches a graph that has any.
// No test has to say what it does: the calls of CUDA themselves are looked at. What is left out of a test is told in a line
// "left out ...". A launch inside of an assertion cannot end its test and makes the assertion fail: write it in front of it.
namespace leave_out {

// Whether a tool looks on.
bool under_tool();

// Whether a launch of this graph would end the test: for those that go on without it. If so, it counts as left out.
bool launch_of(cudaGraph_t graph);

}  // namespace leave_out
