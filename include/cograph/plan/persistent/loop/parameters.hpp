// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/loop_state.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/plan/persistent/loop/shape.hpp>

namespace cograph::core {

// The parameters of a loop as one kernel: how many there are, and in how many bytes.

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
constexpr parameter_total parameters_once(const node_spec& loop) {
    if (sees_neighbours(loop)) return {count_parameters(loop), parameter_bytes_of(loop)};
    parameter_counter counter{};
    counter.add(loop);
    return counter.total;
}

// The limit for nodes that share a kernel. Threads may keep copies: all that an H200 runs at once would take 9 GB for the 32 kB that CUDA allows.
constexpr unsigned most_shared_parameter_bytes = 4096;

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
