// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cograph::core {

// What decides whether the first block runs a node alone or all blocks do, in nanoseconds, measured on an H100 (bench/RESULTS.md, "Few elements beside
// many"). With one element a thread, a function takes about as long in one block as in all; each further element of a thread is time that only one block loses.
struct phase_cost {
    static constexpr int grid_over_block = 750;  // by how much a barrier of the grid is longer than one of the block
    static constexpr int cheap_element = 200;    // one more element a thread, of a three-point stencil
    static constexpr int dear_element = 1'100;   // of nine points with a division for each of eight

    // Elements that each thread of the first block may have: so many that the block is done before the grid would have met.
    static constexpr int elements_alone(int element) { return 1 + grid_over_block / element; }
};

// The plan does not know functions, and takes them as dear.
constexpr int elements_alone = phase_cost::elements_alone(phase_cost::dear_element);

}  // namespace cograph::core
