// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/node_spec.hpp>
#include <cograph/plan/phases/phase_state.hpp>

namespace cograph::core {

// The variables that stay on chip.
struct nothing_on_chip {
    static constexpr bool any = false;
    static constexpr bool has(const variable_info*) { return false; }
};

// Reductions that share a barrier, at most.
constexpr int most_joined_reductions = 4;

// The accesses to memory since the last barrier: anywhere, or only own elements by nodes over one domain (0 none, 1 +
// number of the domain, -1 several).
struct pending_use {
    bool read = false, written = false;
    int read_each = 0, written_each = 0;
    constexpr bool operator==(const pending_use&) const = default;
};

constexpr bool has_exchanges(const node_spec& tree) {
    if (tree.kind == spec_kind::work && tree.traits->exchanges) return true;
    for (int i = 0; i < tree.child_count; ++i)
        if (has_exchanges(*tree.children[i])) return true;
    return false;
}

constexpr int join_domains(int a, int b) { return a == 0 ? b : b == 0 || a == b ? a : -1; }

// Whether one of two nodes over the same elements writes a variable that the other uses, beyond its own element.
constexpr bool conflict(const node_spec& a, const node_spec& b) {
    for (int i = 0; i < a.argument_count; ++i)
        for (int j = 0; j < b.argument_count; ++j) {
            const argument& x = a.arguments[i];
            const argument& y = b.arguments[j];
            if (!reaches_memory(x) || !reaches_memory(y) || x.variable != y.variable) continue;
            if ((writes(x.access) || writes(y.access)) && !(x.each && y.each)) return true;
        }
    return false;
}

}  // namespace cograph::core
