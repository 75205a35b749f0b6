// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/node_spec.hpp>

namespace cograph::core {

// One access of one node below an expression: `leaf` counts its nodes in program order, `argument` those of the node.
struct found_access {
    const variable_info* variable = nullptr;
    access_mode how = access_mode::none;
    int branch = 0;
    int leaf = 0;
    int argument = 0;
};

constexpr int count_accesses(const node_spec& tree) {
    int count = 0;
    for (int i = 0; i < tree.argument_count; ++i) count += tree.arguments[i].variable && tree.arguments[i].access != access_mode::none;
    for (int i = 0; i < tree.child_count; ++i) count += count_accesses(*tree.children[i]);
    return count;
}

constexpr int count_accesses(const node_spec* const* trees, int count) {
    int total = 0;
    for (int i = 0; i < count; ++i) total += count_accesses(*trees[i]);
    return total;
}

// Appends the accesses below `tree`, in program order.
constexpr void find_accesses(const node_spec& tree, int branch, found_access*& to, int& leaf) {
    for (int i = 0; i < tree.argument_count; ++i)
        if (tree.arguments[i].variable && tree.arguments[i].access != access_mode::none)
            *to++ = {tree.arguments[i].variable, tree.arguments[i].access, branch, leaf, i};
    leaf += !is_group(tree);
    for (int i = 0; i < tree.child_count; ++i) find_accesses(*tree.children[i], branch, to, leaf);
}

// Numbers variables by first appearance: open addressing on the hash of their names, linear in the number of calls.
template <int Capacity>
struct variable_numbering {
    static constexpr int slots = 2 * Capacity + 1;
    const variable_info* known[Capacity + 1]{};
    int count = 0;
    int at[slots]{};  // 1 + number, 0 if free

    constexpr int operator()(const variable_info* variable) {
        std::size_t slot = variable->hash % slots;
        while (at[slot] && known[at[slot] - 1] != variable) slot = (slot + 1) % slots;
        if (!at[slot]) {
            known[count] = variable;
            at[slot] = ++count;
        }
        return at[slot] - 1;
    }
};

struct race {
    bool found = false;
    found_access first, second;
};

// The first conflict between two branches: both use a variable and one of them writes it. Expected linear time.
template <int Capacity>
constexpr race find_race(const node_spec* const* branches, int count) {
    found_access all[Capacity + 1]{};
    found_access* end = all;
    int leaf = 0;
    for (int branch = 0; branch < count; ++branch) find_accesses(*branches[branch], branch, end, leaf);

    // The first use of each variable, in the earliest branch that has one, and its last write.
    struct seen {
        int use = -1, write = -1;
    };
    variable_numbering<Capacity> number{};
    seen of[Capacity + 1]{};
    for (int i = 0; i < end - all; ++i) {
        if (all[i].variable->internal) continue;  // the plan orders those
        seen& s = of[number(all[i].variable)];
        const auto elsewhere = [&](int j) { return j >= 0 && all[j].branch != all[i].branch; };
        if (elsewhere(s.write)) return {true, all[s.write], all[i]};
        if (writes(all[i].how)) {
            if (elsewhere(s.use)) return {true, all[s.use], all[i]};
            s.write = i;
        }
        if (s.use < 0) s.use = i;
    }
    return {};
}

// Whether CUDA runs a node at the outermost level alone.
constexpr bool is_for_the_root(const node_spec& node) { return node.traits->is_for_the_root && node.traits->is_for_the_root(node); }

// The number of the first such node below an expression, counted from `leaf`, which becomes the number after its
// nodes; -1 if there is none.
constexpr int find_root_node(const node_spec& tree, int& leaf) {
    if (is_for_the_root(tree)) return leaf;
    leaf += !is_group(tree);
    for (int i = 0; i < tree.child_count; ++i) {
        const int found = find_root_node(*tree.children[i], leaf);
        if (found >= 0) return found;
    }
    return -1;
}
constexpr int find_root_node(const node_spec* const* bodies, int count) {
    int leaf = 0;
    for (int i = 0; i < count; ++i) {
        const int found = find_root_node(*bodies[i], leaf);
        if (found >= 0) return found;
    }
    return -1;
}

constexpr bool writes_variable(const node_spec& tree, const variable_info* variable) {
    for (int i = 0; i < tree.argument_count; ++i)
        if (tree.arguments[i].variable == variable && writes(tree.arguments[i].access)) return true;
    for (int i = 0; i < tree.child_count; ++i)
        if (writes_variable(*tree.children[i], variable)) return true;
    return false;
}

// Whether the body of a loop writes anything that its predicate reads from memory.
constexpr bool can_change(const argument* predicate, int count, const node_spec& body) {
    for (int i = 0; i < count; ++i)
        if (reaches_memory(predicate[i]) && reads(predicate[i].access) && writes_variable(body, predicate[i].variable)) return true;
    return false;
}

}  // namespace cograph::core
