// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/loop_state.hpp>
#include <cograph/expr/node/stage.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/plan/tables/measure.hpp>

namespace cograph::core {

constexpr int persistent_threads = 1024;            // in a block, at most
constexpr int small_block = persistent_threads / 2;  // threads have twice the registers
constexpr unsigned persistent_scalar_bytes = 256;   // of a scalar, at most
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

// Whether a loop runs as one persistent kernel, or why it does not.
enum class lowering_status : unsigned char {
    persistent,
    not_in_a_loop,               // only loops become kernels
    opaque_node,                 // a __global__ function or other code that chooses its own launch
    scalar_is_large,             // over 256 bytes, or 64 of the result of a reduction
    single_task_writes_memory,          // every thread runs single-thread nodes, on its own copy of the scalars
    element_node_writes_scalar,  // other than the result of a reduction
    condition_writes,
    too_many_parameters,         // in all, for one kernel
    parameters_are_large,        // the same in bytes
    too_many_elements,           // of an executable, which knows extents
    lowering_disabled,           // by as_nodes
    driven_by_host               // it is, or a loop in it
};

// What of one node keeps it out of a persistent kernel, its children aside.
constexpr lowering_status own_obstacle(const node_spec& tree) {
    if (tree.kind == spec_kind::work && !tree.traits->is_stage) return lowering_status::opaque_node;
    for (int i = 0; i < tree.argument_count; ++i) {
        const argument& a = tree.arguments[i];
        if (!a.variable) continue;
        const bool is_scalar = a.variable->kind == variable_kind::scalar;
        if (is_scalar && a.variable->size > persistent_scalar_bytes) return lowering_status::scalar_is_large;
        if (!writes(a.access)) continue;
        if (tree.kind != spec_kind::work) return lowering_status::condition_writes;
        if (tree.traits->one_thread && !is_scalar) return lowering_status::single_task_writes_memory;
        if (tree.traits->counts_elements && !tree.traits->reduces && !tree.traits->writes_results && is_scalar) return lowering_status::element_node_writes_scalar;
        const bool is_result = tree.traits->reduces && i > 0 && tree.arguments[i - 1].form == argument_form::scratch;
        if (tree.traits->reduces && (is_scalar || is_result) && is_scalar != is_result)
            return lowering_status::element_node_writes_scalar;
        if (is_result && a.variable->size > persistent_result_bytes) return lowering_status::scalar_is_large;
    }
    return lowering_status::persistent;
}

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

struct obstacle {
    lowering_status why = lowering_status::persistent;
    int leaf = -1;  // the node at fault
};

// The first node of an expression that cannot be a part of one persistent kernel. Only library nodes can. Single-thread nodes may
// write scalars alone, since every thread runs them on a copy of its own. Nodes over elements write memory, and of scalars only
// a reduction its result. `leaf` is the number of the expression's first node, and then that of the node after the expression.
constexpr obstacle find_obstacle(const node_spec& tree, int& leaf) {
    const lowering_status own = tree.host_driven ? lowering_status::driven_by_host : tree.as_nodes ? lowering_status::lowering_disabled : own_obstacle(tree);
    if (own != lowering_status::persistent) return {own, leaf};
    if (!is_group(tree)) leaf += tree.leaves;
    for (int i = 0; i < tree.child_count; ++i) {
        const obstacle below = find_obstacle(*tree.children[i], leaf);
        if (below.why != lowering_status::persistent) return below;
    }
    return {};
}

constexpr int count_parameters(const node_spec& tree) {
    int count = tree.argument_count;
    for (int i = 0; i < tree.child_count; ++i) count += count_parameters(*tree.children[i]);
    return count;
}

// Whether a kernel of several nodes needs two arguments once; if so, both are of one type, or it has them twice.
constexpr bool are_one_parameter(const argument& a, const argument& b) {
    const bool stands_for_variable = a.form == argument_form::pointer || a.form == argument_form::object || a.form == argument_form::extent;
    return a.variable && stands_for_variable && a.form == b.form && a.variable == b.variable && a.size == b.size && a.each == b.each && !a.near && !b.near &&
           !a.value && !b.value && (a.form != argument_form::pointer || writes(a.access) == writes(b.access));
}

// The bytes that a parameter takes in a kernel at most.
constexpr unsigned parameter_bytes_of(const argument& a) {
    switch (a.form) {
        case argument_form::kept_value: return a.size;
        case argument_form::object: return a.variable ? bytes_among_parameters(a.variable->size, a.variable->alignment) : unsigned{sizeof(void*)};
        case argument_form::counter: return sizeof(loop_counter);
        default: return sizeof(void*);
    }
}
constexpr unsigned own_parameter_bytes(const node_spec& tree) {
    unsigned bytes = 0;
    for (int i = 0; i < tree.argument_count; ++i) bytes += parameter_bytes_of(tree.arguments[i]);
    return bytes;
}
constexpr unsigned parameter_bytes_of(const node_spec& tree) {
    unsigned bytes = own_parameter_bytes(tree);
    for (int i = 0; i < tree.child_count; ++i) bytes += parameter_bytes_of(*tree.children[i]);
    return bytes;
}

// Parameters of a loop as one kernel, at most, each variable once for each way to use it. If pointers may be of several types, each counts.
constexpr int most_persistent_parameters = 249;
constexpr unsigned most_persistent_parameter_bytes = most_argument_bytes;
struct parameter_total {
    int count = 0;
    unsigned bytes = 0;
};
struct parameter_counter {
    static constexpr int most_known = 2 * most_persistent_parameters;
    const argument* known[most_known]{};
    int count = 0;
    parameter_total total{};

    constexpr void add(const node_spec& tree) {
        for (int i = 0; i < tree.argument_count; ++i) {
            const argument& a = tree.arguments[i];
            const bool is_once = a.form != argument_form::pointer || a.each || a.variable->kind == variable_kind::scalar;
            int k = is_once ? 0 : count;
            while (k < count && !are_one_parameter(*known[k], a)) ++k;
            if (k < count) continue;
            if (is_once && a.variable && count < most_known) known[count++] = &a;
            ++total.count;
            total.bytes += parameter_bytes_of(a);
        }
        for (int i = 0; i < tree.child_count; ++i) add(*tree.children[i]);
    }
};
// The threads of the largest group in a loop.
constexpr int largest_group(const node_spec& tree) {
    int most = tree.kind == spec_kind::work ? tree.traits->threads_of_group : 0;
    for (int i = 0; i < tree.child_count; ++i)
        if (const int below = largest_group(*tree.children[i]); below > most) most = below;
    return most;
}
// Whether nodes see neighbours: if they may have tiles, each argument is a parameter.
constexpr bool sees_neighbours(const node_spec& tree) {
    for (int i = 0; i < tree.argument_count; ++i)
        if (tree.arguments[i].near) return true;
    for (int i = 0; i < tree.child_count; ++i)
        if (sees_neighbours(*tree.children[i])) return true;
    return false;
}
// The threads of a block, if they are given; the kernel of a loop that may have tiles has their shape.
constexpr int given_block(const node_spec& loop) {
    if (loop.block == 0 || sees_neighbours(loop)) return 0;
    const int needed = largest_group(loop);
    return needed > loop.block ? (needed + 255) / 256 * 256 : loop.block;
}
constexpr int given_grid(const node_spec& loop) { return sees_neighbours(loop) ? 0 : loop.grid; }
constexpr bool has_given_shape(const node_spec& loop) { return given_block(loop) != 0 && given_grid(loop) != 0; }
// The most elements that a node of a loop runs over, if the types of all its nodes say how many; else -1. Of boxes and groups of threads, they do not.
constexpr index_t known_extent(const node_spec& tree) {
    index_t most = 0;
    if (!is_group(tree) && tree.traits && tree.traits->counts_elements) {
        const argument& counted = tree.arguments[0];
        const variable_info* const of = extent_source(counted.variable);
        if (tree.traits->box_rank > 0 || tree.traits->threads_of_group > 0 || tree.traits->has_length) return -1;
        if (counted.form == argument_form::count && counted.constant > 0)
            most = counted.constant;
        else if (counted.form == argument_form::extent && of && of->size_by && of->size_by->part_count == 1 && of->size_by->parts[0].what == size_step::number)
            most = of->size_by->parts[0].number;
        else
            return -1;
    }
    for (int i = 0; i < tree.child_count; ++i) {
        const index_t below = known_extent(*tree.children[i]);
        if (below < 0) return -1;
        if (below > most) most = below;
    }
    return most;
}
// Beyond this many elements memory takes the time, and separate kernels use it better: measured on an H200, on which the lines cross between four and
// seventeen million.
constexpr index_t most_persistent_elements = index_t{1} << 22;
// Whether a loop is one kernel whatever is bound.
constexpr bool is_always_one_kernel(const node_spec& loop) {
    const index_t constant = known_extent(loop);
    return has_given_shape(loop) || (constant >= 0 && constant <= most_persistent_elements);
}
// How many threads a block of a loop over so few elements has at most, if it is the only one and its threads have one element each; else 0.
constexpr int threads_of_few(const node_spec& loop, bool has_small_blocks) {
    const index_t constant = known_extent(loop);
    const int most = given_block(loop) != 0 ? given_block(loop) : has_small_blocks ? small_block : persistent_threads;
    if (constant < 0 || constant > most || given_grid(loop) != 0) return 0;
    return given_block(loop) == 0 && constant <= small_block ? small_block : most;
}
constexpr parameter_total parameters_once(const node_spec& loop) {
    if (sees_neighbours(loop)) return {count_parameters(loop), parameter_bytes_of(loop)};
    parameter_counter counter{};
    counter.add(loop);
    return counter.total;
}

// The limit for nodes that share a kernel. Threads may keep copies: all that an H200 runs at once would take 9 GB for the 32 kB that CUDA allows.
constexpr unsigned most_shared_parameter_bytes = 4096;

// Why a loop, whose number is `leaf`, does not run as one kernel, or that it does.
constexpr obstacle obstacle_of_loop(const node_spec& loop, int leaf) {
    int next = leaf;
    const obstacle found = find_obstacle(loop, next);
    if (found.why != lowering_status::persistent) return found;
    const parameter_total needed = parameters_once(loop);
    if (needed.count > most_persistent_parameters) return {lowering_status::too_many_parameters, leaf};
    if (needed.bytes > most_persistent_parameter_bytes) return {lowering_status::parameters_are_large, leaf};
    return found;
}
constexpr bool persists(const node_spec& tree) {
    return is_loop(tree.kind) && obstacle_of_loop(tree, 0).why == lowering_status::persistent;
}

// The loop that a node is or lies in, nearest first; -1 if there is none.
constexpr int loop_around(const plan_view& p, int r) {
    while (r >= 0 && !(p.nodes[r].kind == plan_node_kind::conditional && is_loop(p.nodes[r].control))) r = p.regions[p.nodes[r].region].owner;
    return r;
}

// The loop as a part of which a node runs in a persistent kernel; -1 if it does not.
constexpr int persistent_loop(const plan_view& p, int r) {
    int found = -1;
    for (int at = loop_around(p, r); at >= 0; at = loop_around(p, p.regions[p.nodes[at].region].owner))
        if (!p.nodes[at].as_nodes && persists(*p.nodes[at].from)) found = at;
    return found;
}

constexpr int count_leaves(const node_spec& tree) {
    int count = is_group(tree) ? 0 : tree.leaves;
    for (int i = 0; i < tree.child_count; ++i) count += count_leaves(*tree.children[i]);
    return count;
}

// Appends the parameters of every node below `tree`, as those of one kernel. That one has working memory of its own.
constexpr void flatten_parameters(const node_spec& tree, argument*& to, lowered_argument*& of, int& leaf) {
    for (int i = 0; i < tree.argument_count; ++i) {
        argument a = tree.arguments[i];
        *of++ = {tree.traits, i == 0 && tree.traits->counts_elements};
        if (a.form == argument_form::count) a.size = static_cast<unsigned>(leaf);
        if (a.form == argument_form::scratch) a.size = 0;
        if (a.form == argument_form::loop_around) a.size = 1;  // the kernel's loops know by themselves
        *to++ = a;
    }
    if (!is_group(tree)) leaf += tree.leaves;
    for (int i = 0; i < tree.child_count; ++i) flatten_parameters(*tree.children[i], to, of, leaf);
}

}  // namespace cograph::core
