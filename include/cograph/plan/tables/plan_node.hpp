// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/node_spec.hpp>

namespace cograph::core {

// The plan: an expression as flat tables. Variables are numbered by first appearance. After the named ones come
// hidden variables: one for each condition, one for each scratch memory and one for each number that the host
// computes. That of a condition orders the nodes that set it, decide by it and count its loop.

// The alignment in bytes of memory that a run owns.
constexpr std::size_t arena_alignment = 256;

enum class plan_node_kind : unsigned char {
    work,       // a kernel
    condition,  // sets the decision of a conditional
    conditional // a loop or branch
};

struct access {
    int variable = 0;
    access_mode how = access_mode::none;
    bool partly = false;  // of some elements, or perhaps none: the others keep their values
};

struct plan_node {
    plan_node_kind kind = plan_node_kind::work;
    spec_kind control = spec_kind::work;  // of conditionals: which
    const node_spec* from = nullptr;
    int leaf = 0;    // which of the expression's records
    int code = 0;    // which of its codes
    int region = 0;
    int next = -1;   // the node after this one in its region, in program order
    int condition = -1;  // of conditions and conditionals, and of kernels that decide: a variable
    int handle = -1;     // the same, but each copy of a conditional has its own
    int copy = 0;        // which of the iterations that a loop does from one test to the next
    int position = 0;    // among the user's nodes, in program order; -1: a pass over arrays that a predicate makes
    bool as_nodes = false;  // in a region that is to stay nodes
    bool ordered_against_all = false;  // declares no memory
    int domain = 0;  // as numbers of arguments are
    int first_argument = 0, argument_count = 0;
    int first_access = 0, access_count = 0;
    int first_region = 0, region_count = 0;  // of conditionals: their bodies
    int first_edge = 0, edge_count = 0;      // the nodes that must end before this one starts
};

// Whether a node sets the decision of a loop or branch.
constexpr bool decides(const plan_node& r) { return r.handle >= 0 && r.kind != plan_node_kind::conditional; }

// Whether a node really changes the variable of a writing access.
constexpr bool changes(const plan_node& r, const access& a) { return writes(a.how) && !r.from->traits->writes_nothing; }

struct region {
    int owner = -1;  // the conditional whose body this is
    int first_node = -1, node_count = 0;
    int last_node = -1;
};

struct planned_variable {
    const variable_info* info = nullptr;  // null: hidden
    unsigned bytes = 0;                   // of hidden ones
    int state = 0;                        // of conditions: the first loop in program order that it, or a node below it, counts;
                                          // of a number that the host computes: the kept value with its constants, or -1
    int resets = 0;                       // and how many of them it clears on arrival
    bool read = false, written = false;
    bool read_first = false;              // on some path, before the expression writes it
    bool always_written = false;          // on every path; some node may still write a part of it alone
    int first_reader = -1;                // then: the node that does
    index_t written_by_then = 0;          // and the number of written elements: 0, or one more than that number
};

struct plan_sizes {
    int nodes = 0, accesses = 0, arguments = 0, regions = 0, variables = 0, hidden = 0, edges = 0, codes = 0, kept_values = 0, leaves = 0;
    int visible = 0;  // accesses of conditionals: the most that reach the outside
};

// The tables, wherever they are; the input of passes and executors.
struct plan_tables {
    plan_node* nodes;
    access* accesses;
    int* arguments;
    region* regions;
    planned_variable* variables;
    int* edges;
};

struct plan_counts {
    int nodes = 0, accesses = 0, arguments = 0, regions = 0, variables = 0, named = 0, edges = 0, conditions = 0, codes = 0,
        kept_values = 0, leaves = 0;
    int handles = 0;  // conditionals, copies among them
    int loops = 0;    // in program order, without copies
};

struct plan_view {
    const plan_node* nodes;
    const access* accesses;
    const int* arguments;  // by argument of a node: the number of its variable, or of its kept value
    const region* regions;
    const planned_variable* variables;
    const int* edges;
    plan_counts count;
};

}  // namespace cograph::core
