// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>
#include <cograph/expr/node/node_traits.hpp>
#include <cograph/expr/variable/variable.hpp>

namespace cograph::core {

enum class access_mode : unsigned char { none = 0, read = 1, write = 2, read_write = 3 };

constexpr bool reads(access_mode m) { return static_cast<unsigned char>(m) & 1; }
constexpr bool writes(access_mode m) { return static_cast<unsigned char>(m) & 2; }
constexpr access_mode operator|(access_mode a, access_mode b) {
    return static_cast<access_mode>(static_cast<unsigned char>(a) | static_cast<unsigned char>(b));
}

// How one argument of a node reaches its code.
enum class argument_form : unsigned char {
    pointer,    // the address of the variable's memory
    object,     // a value or view, by value
    extent,     // the number of elements of a variable
    kept_value,    // a literal or function object that the node holds
    computed,   // a number that the host computes of extents and values
    stateless,  // an empty function object
    count,      // the constant extent of the node's shape
    scratch,    // working memory of the node, `size` bytes
    workspace,  // the same, of a size that the run finds: its slot, which holds address and bytes
    counter,    // of a condition: the state of its loop, and of loops below; `size` bytes of it are its own
    conditional_handle, // of a kernel that decides: the handle of its loop or branch
    loop_around // the state of the innermost loop around the node; null where there is none, or where `size` is not 0
};

constexpr bool is_hidden_memory(argument_form form) {
    return form == argument_form::scratch || form == argument_form::workspace;
}

// A formula over extents and value variables, which the host computes when a run is bound.
struct value_rule {
    const variable_info* const* variables;
    int variable_count;
    bool keeps;  // the node keeps its constants
    // Writes the number to `to`, or returns why there is none, perhaps in `text`. read(run, variable) returns the
    // slot of a variable.
    const char* (*compute)(const void* (*read)(const void* run, const variable_info&), const void* run, const void* kept, void* to, char* text);
};
constexpr std::size_t most_number_bytes = 8;  // of such a number
constexpr int most_fault_text = 96;           // of the reason why there is none

// How far x[near<...>] reaches, along each dimension.
struct near_radius {
    int rank;
    int along[3];
};

// In the order in which it is initialized everywhere.
struct argument {  // NOLINT(clang-analyzer-optin.performance.Padding)
    argument_form form;
    access_mode access = access_mode::none;
    const variable_info* variable = nullptr;
    unsigned size = 0;    // of an extent: the greatest that its parameter holds, if there is a limit
    bool each = false;    // called for element i, the node touches element i alone
    const value_rule* value = nullptr;  // of computed numbers
    const near_radius* near = nullptr;  // called for element i, the node reads elements no further away
    unsigned of_shared_memory = 0;      // bytes of an element, if it counts those that each group of threads has in shared memory
    long long constant = 0;             // the number in the type of a count or of a side of a box
};

// Whether an argument is one of a node that is called for each element, of which it sees that one, or those around it.
constexpr bool is_by_element(const argument& a) { return a.each || a.near; }

// Whether a node keeps something for an argument.
constexpr bool keeps_value(const argument& a) { return a.form == argument_form::kept_value || (a.value && a.value->keeps); }

// Whether an argument leads to memory, be it through a view; values are fixed at launch.
constexpr bool reaches_memory(const argument& a) {
    return a.variable && a.access != access_mode::none && a.variable->kind != variable_kind::value;
}
// Whether a node writes memory for it; scalars are in registers of a persistent kernel.
constexpr bool writes_memory(const argument& a) { return reaches_memory(a) && writes(a.access) && a.variable->kind != variable_kind::scalar; }

// The most that CUDA passes to a kernel; the count is the library's own limit.
constexpr int most_parameters = 256;
constexpr int most_parameter_bytes = 32764;
constexpr int most_arguments = most_parameters - 8;  // of any other node and of a predicate, which have up to eight before
constexpr int most_argument_bytes = most_parameter_bytes - 256;

// The bytes of parameters in sequence.
template <class... P>
constexpr int parameter_size() {
    constexpr std::size_t sizes[] = {sizeof(P)..., 0};
    constexpr std::size_t alignments[] = {alignof(P)..., 1};
    std::size_t bytes = 0;
    for (int i = 0; i < static_cast<int>(sizeof...(P)); ++i) bytes = (bytes + alignments[i] - 1) / alignments[i] * alignments[i] + sizes[i];
    return static_cast<int>(bytes);
}

// The most that a parameter adds to those, in any order: each is assumed to end at a multiple of eight.
constexpr unsigned bytes_among_parameters(std::size_t size, std::size_t alignment) {
    return static_cast<unsigned>((size + 7) / 8 * 8 + (alignment > 8 ? alignment - 8 : 0));
}

// The number of elements of a size that a thread takes if the work for each is trivial.
COGRAPH_HD constexpr int few_elements(std::size_t bytes) { return bytes < 8 ? 4 : 2; }
constexpr int few_planes = 4;  // of a box of three dimensions, if it reads neighbours

enum class spec_kind : unsigned char {
    work, sequence, parallel, loop_while, do_while, repeat, when, switch_on
};

constexpr bool is_loop(spec_kind kind) {
    return kind == spec_kind::loop_while || kind == spec_kind::do_while || kind == spec_kind::repeat;
}

// The restrictions of CUDA during a capture; the words of cudaStreamCaptureMode.
enum class capture_mode : unsigned char { global, thread, relaxed };

inline constexpr node_traits no_traits{};
struct lowered_node;
struct node_spec;
struct plan_view;

// An expression that a node runs by itself.
struct inner_expression {
    const node_spec* tree;
    const plan_view* plan;
};

// The description of an expression type as data: the plan is computed from a tree of these and nothing else.
struct node_spec {
    spec_kind kind;
    lazy_name name;
    const node_traits* traits = &no_traits;  // of work: the common traits of all nodes of its kind
    const argument* arguments = nullptr;  // of work: its parameters; of control: those of its predicate
    int argument_count = 0;
    const node_spec* const* children = nullptr;
    int child_count = 0;
    int leaves = 1;  // of work and control: the records that are its own
    argument domain = {argument_form::kept_value};  // the count of a node over elements
    int elements_a_thread = 1;
    int every = 1;               // of loops: iterations of the body from one test to the next
    int grid = 0, block = 0;     // of loops: the shape that their kernel is to have; 0: the library chooses
    const char* identity = nullptr;  // equal for nodes of the same kernel or function object type
    bool device_only = false;        // without a host implementation
    bool passes = false;             // of a group: the passes over arrays that a predicate makes, no nodes of the user's
    capture_mode capture = capture_mode::global;
    bool warms_up = false;  // runs once before it is captured
    const inner_expression* inside = nullptr;  // of work that runs an expression by itself
    const lowered_node* lowered = nullptr;  // of nodes that the plan makes: its facts about them
    bool two_kernels = false;  // for large blocks, and for small ones, whose threads have more registers
    bool in_box_order = false;  // a reduction over a box of two dimensions whose terms have an order
    bool as_nodes = false;  // neither this nor its surroundings become a part of a persistent kernel
    bool host_driven = false;  // the host drives the loop around it, or decides about the branch
    bool decided = false;      // of control: its first child is a kernel of the user's that decides, and the others are its bodies
};

// Whether the host drives the loop with this body. Passes over arrays for the loop's predicate may follow it.
constexpr bool is_host_driven_body(const node_spec& body) {
    return body.host_driven || (body.kind == spec_kind::sequence && body.child_count == 2 && body.children[1]->passes && body.children[0]->host_driven);
}
// Whether the host drives a loop, or decides about a branch.
constexpr bool is_host_driven(const node_spec& tree) {
    const bool decides = is_loop(tree.kind) || tree.kind == spec_kind::when || tree.kind == spec_kind::switch_on;
    for (int i = 0; decides && i < tree.child_count; ++i)
        if (is_host_driven_body(*tree.children[i])) return true;
    return false;
}
constexpr bool has_host_driven(const node_spec& tree) {
    if (tree.host_driven) return true;
    for (int i = 0; i < tree.child_count; ++i)
        if (has_host_driven(*tree.children[i])) return true;
    return false;
}

// Whether a reduction of an expression follows the order of a box.
constexpr bool has_box_order(const node_spec& tree) {
    bool found = tree.in_box_order;
    for (int i = 0; i < tree.child_count && !found; ++i) found = has_box_order(*tree.children[i]);
    return found;
}

// Whether a node may leave elements of a variable unchanged: those after the last that it runs over, and all elements
// that it writes if a loop makes no iteration.
constexpr bool touches_partly(const node_spec& node, const argument& touched) {
    if (writes(touched.access) && node.traits->writes_partly) return true;
    return touched.each && !node.traits->equal_extents && !has_extent_of(touched.variable, node.domain.variable);
}

constexpr bool is_group(const node_spec& tree) { return tree.kind == spec_kind::sequence || tree.kind == spec_kind::parallel; }

template <auto F>
inline constexpr char identity_of_function = 0;
template <class F>
inline constexpr char identity_of_type = 0;

// The part of a node that only the expression's value knows.
struct shape_values {
    unsigned grid[3] = {1, 1, 1};
    unsigned block[3] = {256, 1, 1};
    unsigned shared = 0;  // bytes of dynamic shared memory
    index_t count = 0;      // of a constant domain; of a loop, its limit
    unsigned cluster = 0;   // blocks of a cluster along x, y and z, a byte each; 0: the kernel's own
    int priority = 0;
    bool cooperative = false;
    bool programmatic = false;  // may begin before those end that it waits for
};

struct record {
    const char* label = nullptr;
    const char* file = "";
    unsigned line = 0;
    shape_values shape = {};
};

constexpr record* append(record* to, const record* from, int count) {
    for (int i = 0; i < count; ++i) to[i] = from[i];
    return to + count;
}

template <class E>
concept expression = requires {
    typename E::self;
    E::leaves;
};

}  // namespace cograph::core
