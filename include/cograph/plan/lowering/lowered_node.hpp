// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/node_spec.hpp>

namespace cograph::core {

struct tile_layout;

// An argument of a kernel of several nodes.
struct lowered_argument {
    const node_traits* traits = &no_traits;  // of the node that it is an argument of
    bool counts = false;                     // what that node counts: its first argument
    bool again = false;                      // the kernel has it as an earlier parameter
};
// Facts about a node that only the lowering makes; nodes of the language have none.
struct lowered_node {
    const node_spec* const* parts = nullptr;      // of element-wise nodes that are one kernel: those, one for each record
    int iterations = 1;                           // of the same: how many of a loop, one after another
    const lowered_argument* arguments = nullptr;  // of several nodes that are one kernel: by argument, of whom it is
    const tile_layout* tiles = nullptr;           // of a persistent kernel that may have tiles
    int grid = 0, block = 0;                      // of a persistent kernel: the shape that is given; -1: a block on each SM
    bool small_blocks = false;                    // of a persistent kernel: no block has more than small_block threads
    bool takes_planes = false;                    // of a persistent kernel: its nodes, as kernels, take a few planes of a box a thread
    const struct kept_elements* kept = nullptr;   // of a persistent kernel whose threads may keep several elements
    bool answers = false;     // stores the condition of a branch, or of a further iteration, which predicated nodes ask
    bool predicated = false;
    unsigned at_once = 0;     // if not 0, each block takes some parts of the box, and each SM has no more threads than this
    bool of_further_iteration = false;  // of a loop that is unrolled, whose counter it has
    bool is_pass = false;               // of steps that share a pass over memory
    bool turns_back = false;            // the node before it with its two variables exchanged, whose other arguments it has
    bool are_same_nodes = false;        // of a group: its children are the same nodes of the language, in several ways
    bool are_left_out = false;          // of a group: its children do not run, but have records and kept values
    int further_iterations = 0;         // of a group: how often it runs after the first iteration of a loop, whose records it shares
};
constexpr unsigned usual_threads_at_once = 1024;  // on an SM, of a kernel whose threads have up to 64 registers
inline constexpr lowered_node not_lowered{};
constexpr const lowered_node& lowering_of(const node_spec& node) { return node.lowered ? *node.lowered : not_lowered; }

}  // namespace cograph::core
