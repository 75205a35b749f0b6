// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/check.hpp>
#include <cograph/plan/tables/plan.hpp>

namespace cograph::core {

// Temps of which nodes write only some elements, whose number only a run knows: all elements that are read must have
// been written.

// Whether a node below writes the elements of a temp that are those of a shape, which may be fewer.
constexpr bool writes_temps_partly(const node_spec& tree) {
    for (int i = 0; i < tree.argument_count; ++i) {
        const argument& a = tree.arguments[i];
        if (a.each && writes(a.access) && a.variable->kind == variable_kind::temp && touches_partly(tree, a)) return true;
    }
    for (int i = 0; i < tree.child_count; ++i)
        if (writes_temps_partly(*tree.children[i])) return true;
    return false;
}

// Throws if a node reads more of a temp than is written. The plan is that of the expression as it was written: a
// lowered one, which the frame may have, has the same variables and records, but other nodes.
inline void check_assignment(const frame& f, const plan_view& p) {
    const heap_memory of_variables(p.count.variables, sizeof(planned_variable));
    const heap_memory numbers(2 * index_t{p.count.variables} + p.count.nodes, sizeof(index_t));
    const heap_memory changes(p.count.accesses, sizeof(written_change));
    const heap_memory marks(p.count.variables, sizeof(int));
    planned_variable* const found = static_cast<planned_variable*>(of_variables.get());
    index_t* const counts = static_cast<index_t*>(numbers.get());
    index_t* const domains = counts + p.count.variables;
    const auto slot_of = [&](int v) { return number_of(f, p.variables[v].info); };
    for (int v = 0; v < p.count.named; ++v) counts[v] = static_cast<index_t>(f.slots[slot_of(v)].count);
    for (int r = 0; r < p.count.nodes; ++r) {
        const plan_node& here = p.nodes[r];
        const argument& counted = here.from->domain;
        domains[r] = here.from->traits->counts_elements ? extent_of(f, counted.form, counted.variable ? slot_of(here.domain) : here.domain) : -1;
    }
    assignment_pass{p, {counts, domains}, found, domains + p.count.nodes, static_cast<written_change*>(changes.get()), static_cast<int*>(marks.get())}
        .visit();
    for (int v = 0; v < p.count.named; ++v) {
        if (!found[v].read_first || p.variables[v].info->kind != variable_kind::temp) continue;
        const plan_node& reader = p.nodes[found[v].first_reader];
        const name_view name = p.variables[v].info->name.read();
        refuse(place_of(f.records[reader.leaf], *reader.from),
               "reads more than %lld elements of '%.*s', which is only partly written: write all of it first, or declare it only as long as its written elements",
               static_cast<long long>(found[v].written_by_then - first_written(0)), static_cast<int>(name.size), name.data);
    }
}

template <class E>
void check_assignment_of(const frame& f) {
    check_assignment(f, plan_of<E>::view);
}

}  // namespace cograph::core
