// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

namespace cograph::core {

struct node_spec;

// The inputs for the launch of a node over elements.
struct launch_request {
    index_t elements;
    unsigned block;         // threads of a block, as the shape asks
    int elements_a_thread;
    int most_tiles;         // of a block of a reduction
};
// Blocks of a grid and threads of a block, along x.
struct launch_extent {
    index_t blocks;
    unsigned threads;
};

// The questions that the plan, its lowering, reports and executors ask about a kind of node. The node's header
// answers them in one constant of this type, which its node_spec leads to. No pass names a node, and a new kind of
// node is one header.
// The part of a node among ranks: none; it is a collective that gives all ranks the same, or each its own; or it compares ranks.
enum class rank_role : unsigned char { none, gives_the_same, gives_own, compares };

struct node_traits {
    // Words of reports: the kind of the node, and how its threads are counted.
    const char* kind = "kernel";
    const char* rule = "given";

    // How it runs. A node that is no kernel has its own code for graph and stream.
    bool is_kernel = true;
    bool is_opaque = false;     // its work is unknown to cograph: it is never part of another kernel
    bool captures = false;      // code that enqueues work on a stream that is captured
    bool decides = false;       // a kernel of the user's that sets the condition of a loop or branch
    bool copies_memory = false; // by the copy engines: it reads its first argument
    bool persistent = false;    // a whole loop in one kernel, whose blocks are there at once
    bool can_be_disabled = true;
    // Whether CUDA takes it at the outermost level of a graph only. Null: anywhere.
    bool (*is_for_the_root)(const node_spec&) = nullptr;

    // Its launch. Null: as the shape says.
    launch_extent (*size)(const launch_request&) = nullptr;
    bool takes_shape = false;   // blocks, shared memory, clusters and priority are the user's choice
    bool counts_elements = false;
    bool has_length = false;    // of its domain, only the first elements run; the scalar in its second argument gives their number
    int box_rank = 0;           // dimensions of its indices, if it has more than one or sees neighbours; 0: one
    int first_side = 0;         // of a box: the argument that is its first side
    bool in_patches = false;    // of a box: sums are joined in patches, of large boxes too
    int threads_of_group = 0;   // that work together; 0: a thread an element
    index_t (*groups_for)(index_t elements) = nullptr;  // how many groups there are
    int every = 1;              // of its domain, one element of so many
    bool one_thread = false;
    bool reduces = false;       // combines a term of each element into the scalar after its working memory
    bool writes_results = false; // of all elements, to scalars: every thread of a larger kernel gets them
    int code_for = 0;           // compute capability of the instructions that its kernel needs, as 90 for 9.0; 0: any
    int looks_up = 0;           // the argument in which its threads look up what they may keep while it stays as it is
    bool equal_extents = false; // all memory that it takes by element is of one length

    // Its effect on memory.
    bool writes_partly = false;     // it may leave elements of its outputs unchanged
    bool written_elsewhere = false; // another writer has written its outputs
    bool exchanges = false;         // the variables after its domain are exchanged: a persistent kernel need not move elements
    bool writes_nothing = false;    // no other node may read its outputs meanwhile, and it leaves them unchanged
    rank_role of_ranks = rank_role::none;

    // In other kernels.
    bool is_stage = false; // it also runs as a part of them
    bool is_brief = false; // next to no time: it may join any kernel

    constexpr bool is_elementwise() const { return is_stage && counts_elements && !reduces && threads_of_group == 0 && every == 1; }
    constexpr node_traits with_equal_extents() const {
        node_traits changed = *this;
        changed.equal_extents = true;
        return changed;
    }
    constexpr node_traits with_length() const {
        node_traits changed = *this;
        changed.has_length = changed.writes_partly = true;
        return changed;
    }
    constexpr node_traits that_looks_up(int argument) const {
        node_traits changed = *this;
        changed.looks_up = argument;
        return changed;
    }
    constexpr node_traits that_exchanges() const {
        node_traits changed = *this;
        changed.exchanges = true;
        return changed;
    }
    constexpr node_traits brief() const {
        node_traits changed = *this;
        changed.is_brief = true;
        return changed;
    }
};

constexpr bool is_always_for_the_root(const node_spec&) { return true; }

constexpr launch_extent size_of_one_thread(const launch_request&) { return {1, 1}; }
constexpr launch_extent size_over_elements(const launch_request& asked) {
    const index_t of_block = index_t{asked.block} * asked.elements_a_thread;
    return {asked.elements > 0 ? (asked.elements + of_block - 1) / of_block : 1, asked.block};
}

}  // namespace cograph::core
