// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/node_spec.hpp>
#include <cograph/expr/node/stage.hpp>

namespace cograph::core {

// The results of reductions in a persistent kernel, and its memory for them.

constexpr unsigned persistent_result_bytes = 64;    // of the result of a reduction, at most
constexpr unsigned small_result_bytes = 16;         // of all results that share a barrier, but one
constexpr unsigned persistent_meeting_bytes = 320;  // set aside for the threads of a kernel to meet in
// The results of chunks that blocks send to each other: in two halves, used in turn, of several copies each.
constexpr unsigned copies_of_sent = 8, copies_of_pairs = 4;
constexpr unsigned sent_result_bytes = 2 * copies_of_sent * reduce_layout::most_chunks * 16;
constexpr int most_sent_results = 2;  // of a group
// A block of such a kernel has one chunk, or two that a reduction joins first, half a warp apart. It sends one result.
constexpr int chunks_apart = 16, most_chunks_in_pairs = reduce_layout::lanes;
COGRAPH_HD constexpr int chunk_in_pairs(int block, int tile) { return (block / chunks_apart * 2 + tile) * chunks_apart + block % chunks_apart; }

// Whether a node reduces to a scalar of more than a few bytes.
constexpr bool has_large_result(const node_spec& tree, unsigned small = small_result_bytes) {
    if (tree.kind != spec_kind::work || !tree.traits->reduces) return false;
    for (int i = 1; i < tree.argument_count; ++i)
        if (tree.arguments[i - 1].form == argument_form::scratch && tree.arguments[i].variable) return tree.arguments[i].variable->size > small;
    return false;
}
constexpr bool has_large_results(const node_spec& tree, unsigned small = small_result_bytes) {
    for (int i = 0; i < tree.child_count; ++i)
        if (has_large_results(*tree.children[i], small)) return true;
    return has_large_result(tree, small);
}

}  // namespace cograph::core
