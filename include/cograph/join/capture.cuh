// SPDX-License-Identifier: Apache-2.0
#pragma once

// With this header, launches and runs on a stream that is being captured become a part of the capture, in the whole
// program: exec.launch(stream), run_on(stream, e, ...). Nodes are added in stream order; loops and branches that are
// no kernels become conditional nodes of the graph. The graph owns the memory that the work needs, also after the
// executable is gone. A later update does not change it.

#include <cograph/join/captured_stream.cuh>

namespace cograph::core {

inline const bool joins_captures = (on_captured_streams = {&launch_in_capture, &run_in_capture}, true);

}  // namespace cograph::core

namespace cograph {

using core::free_memory_of_graphs;
using core::let_graphs_own_memory;

}  // namespace cograph
