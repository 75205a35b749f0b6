// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/binding.hpp>
#include <cograph/plan/analysis/rank_decisions.hpp>
#include <cograph/plan/report/query.hpp>

namespace cograph::core {

// Whether a variable must be bound in every run: all but scalars that the expression writes before it reads them, temps
// whose declaration says their size, and what has an initial value.
constexpr bool needs_binding(const planned_variable& v) {
    if (!v.info) return false;
    if (v.info->size_by || v.info->initial) return false;
    if (v.info->kind == variable_kind::scalar) return v.read_first;
    if (v.info->kind == variable_kind::temp) return !v.info->like;
    return true;
}

// The bindings of one run, without their types.
struct binding_list {
    const variable_info* const* variables;
    const bool* is_const;
    int count;

    constexpr bool holds(const variable_info* v) const {
        for (int b = 0; b < count; ++b)
            if (variables[b] == v) return true;
        return false;
    }
};

template <class B>
concept binding = !variable<B> && requires {
    typename B::tag;
    typename B::element;
};
template <class... B>
struct bindings_of {
    static constexpr const variable_info* variables[] = {&info_of<typename B::tag>..., nullptr};
    static constexpr bool is_const[] = {std::is_const_v<typename B::element>..., false};
    static constexpr binding_list view{variables, is_const, sizeof...(B)};
};

// Bindings against a plan: the first variable or binding, from a number on, that breaks a rule, or -1.
constexpr int first_unbound(const plan_view& p, const binding_list& bound, int v = 0) {
    for (; v < p.count.named; ++v)
        if (needs_binding(p.variables[v]) && !bound.holds(p.variables[v].info)) return v;
    return -1;
}
constexpr int first_repeated(const plan_view&, const binding_list& bound, int b = 0) {
    for (; b < bound.count; ++b)
        if (binding_list{bound.variables, bound.is_const, b}.holds(bound.variables[b])) return b;
    return -1;
}
constexpr int first_unknown(const plan_view& p, const binding_list& bound, int b = 0) {
    for (; b < bound.count; ++b)
        if (!find_variable(p, bound.variables[b])) return b;
    return -1;
}
constexpr int first_const(const plan_view& p, const binding_list& bound, int b = 0) {
    for (; b < bound.count; ++b) {
        const planned_variable* v = find_variable(p, bound.variables[b]);
        if (bound.is_const[b] && v && v->written) return b;
    }
    return -1;
}

// New bindings of a run.
constexpr bool keeps_update_rules(const plan_view& p, const binding_list& bound) {
    return first_repeated(p, bound) < 0 && first_unknown(p, bound) < 0 && first_const(p, bound) < 0;
}

// The first temp that is read before it is written.
constexpr int first_unwritten_temp(const plan_view& p) {
    for (int v = 0; v < p.count.named; ++v)
        if (p.variables[v].info->kind == variable_kind::temp && p.variables[v].read_first) return v;
    return -1;
}

// The first variable of memory that the run would own, and could not align.
constexpr int first_overaligned(const plan_view& p, const binding_list& bound) {
    for (int v = 0; v < p.count.named; ++v) {
        const variable_info* const info = p.variables[v].info;
        const bool owned = info->kind == variable_kind::temp || (info->kind == variable_kind::scalar && !bound.holds(info));
        if (owned && info->alignment > arena_alignment) return v;
    }
    return -1;
}

// Whether a node other than that of node r writes a variable: further iterations of a loop have nodes of the same
// node, and a conditional writes the variables of its bodies.
constexpr bool is_written_beside(const plan_view& p, int variable, int r) {
    bool is = false;
    for (int other = 0; other < p.count.nodes && !is; ++other) {
        if (p.nodes[other].kind == plan_node_kind::conditional || p.nodes[other].leaf == p.nodes[r].leaf) continue;
        for (int i = 0; i < p.nodes[other].access_count; ++i) {
            const access& a = p.accesses[p.nodes[other].first_access + i];
            is |= a.variable == variable && changes(p.nodes[other], a);
        }
    }
    return is;
}
// The first host buffer that a copy or a captured call reads and that the expression writes too. A graph reads
// pageable memory at launch, not when the node runs. A captured call may both read and write its own memory.
constexpr int first_stale_source(const plan_view& p) {
    const auto is_pageable = [&](int v) { return p.variables[v].info && p.variables[v].info->kind == variable_kind::host && p.variables[v].written; };
    for (int r = 0; r < p.count.nodes; ++r) {
        const plan_node& here = p.nodes[r];
        if (here.from->traits->copies_memory && is_pageable(p.arguments[here.first_argument])) return p.arguments[here.first_argument];
        for (int i = 0; i < here.access_count && here.from->traits->captures; ++i) {
            const access& a = p.accesses[here.first_access + i];
            if (reads(a.how) && is_pageable(a.variable) && is_written_beside(p, a.variable, r)) return a.variable;
        }
    }
    return -1;
}

// The first node that the host cannot run.
constexpr int first_device_only(const plan_view& p) {
    for (int r = 0; r < p.count.nodes; ++r)
        if (p.nodes[r].from->device_only) return p.nodes[r].leaf;
    return -1;
}

constexpr bool keeps_all_rules(const plan_view& p, const binding_list& bound) {
    return first_unbound(p, bound) < 0 && first_repeated(p, bound) < 0 && first_unknown(p, bound) < 0 && first_const(p, bound) < 0 &&
           first_unwritten_temp(p) < 0 && first_stale_source(p) < 0 && first_overaligned(p, bound) < 0 && first_own_decision(p).variable < 0;
}

// The same for an expression whose plan is not needed yet: nodes and flow alone.
template <plan_sizes Size>
constexpr bool keeps_all_rules(const node_spec& tree, const binding_list& bound, bool on_host) {
    plan_table<Size> table{};
    variable_numbering<Size.variables> number{};
    int last_use[Size.variables + 1]{};
    written_part written[Size.variables + Size.hidden + 1]{};
    written_change log[Size.accesses + 1]{};
    int mark[Size.variables + Size.hidden + 1]{};
    const plan_tables t = table.tables();
    const plan_counts count = fill_nodes(tree, t, number, last_use);
    find_unwritten_reads(t, count, written, log, mark);
    const plan_view view{t.nodes, t.accesses, t.arguments, t.regions, t.variables, t.edges, count};
    return keeps_all_rules(view, bound) && !(on_host && first_device_only(view) >= 0);
}

// Whether E can run with bindings B..., and on the host. While nvcc compiles device code nothing is asked: the host was asked
// before.
#if defined(__CUDA_ARCH__)
template <class E, class... B>
inline constexpr bool can_run = true;
template <class E, class... B>
inline constexpr bool can_simulate = true;
template <class E, class... B>
inline constexpr bool can_update = true;
#else
template <class E, class... B>
inline constexpr bool can_run = false;
template <class E, binding... B>
inline constexpr bool can_run<E, B...> = keeps_all_rules<measure(E::tree)>(E::tree, bindings_of<B...>::view, false);
template <class E, class... B>
inline constexpr bool can_simulate = false;
template <class E, binding... B>
inline constexpr bool can_simulate<E, B...> = keeps_all_rules<measure(E::tree)>(E::tree, bindings_of<B...>::view, true);
template <class E, class... B>
inline constexpr bool can_update = false;
template <class E, binding... B>
inline constexpr bool can_update<E, B...> = keeps_update_rules(plan_of<E>::view, bindings_of<B...>::view);
#endif

}  // namespace cograph::core
