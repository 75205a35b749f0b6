// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/check.hpp>

namespace cograph::core {

// Formulas over extents and values as arguments: the host computes them when a run is bound, and again when an update
// changes their variables. The number is in the slot of a hidden variable, so that an update finds the nodes that
// take it.
constexpr bool has_computed_values(const plan_view& p) {
    for (int r = 0; r < p.count.nodes; ++r)
        for (int i = 0; i < p.nodes[r].argument_count; ++i)
            if (p.nodes[r].from->arguments[i].value) return true;
    return false;
}

// The place of an extent or a value in a run.
inline const void* address_of(const void* run, const variable_info& variable) {
    const frame& f = *static_cast<const frame*>(run);
    const slot& s = f.slots[number_of(f, &variable)];
    check_memory(variable, s);
    return s.object ? s.object : &s.count;
}

// Whether a formula is over numbers that differ from problem to problem of a batch: it is computed there.
inline bool differs(const frame& f, const value_rule& rule) {
    for (int i = 0; i < rule.variable_count; ++i)
        if (f.slots[number_of(f, rule.variables[i])].differs) return true;
    return false;
}

[[noreturn]] inline void refuse_value(place at, const value_rule& rule, const char* fault) {
    char names[128] = "";
    int length = 0;
    for (int i = 0; i < rule.variable_count && length < static_cast<int>(sizeof names); ++i) {
        bool repeated = false;
        for (int before = 0; before < i; ++before) repeated |= rule.variables[before] == rule.variables[i];
        const name_view name = rule.variables[i]->name.read();
        if (!repeated)
            length += std::snprintf(names + length, sizeof names - static_cast<std::size_t>(length), "%s'%.*s'", length == 0 ? "" : ", ",
                                    static_cast<int>(name.size), name.data);
    }
    refuse(at, "takes a formula over %s that %s", names, fault);
}

inline void compute_values(frame& f) {
    for (int i = 0; i < f.plan.count.nodes; ++i) {
        const plan_node& r = f.plan.nodes[i];
        const lowered_argument* const lowered = r.from->lowered ? r.from->lowered->arguments : nullptr;
        int part = -1;  // of nodes that are one kernel, each of which begins with its count
        for (int a = 0; a < r.argument_count; ++a) {
            const argument& asked = r.from->arguments[a];
            part += lowered && lowered[a].counts;
            if (!asked.value || differs(f, *asked.value)) continue;
            const int at = f.plan.arguments[r.first_argument + a];
            const int kept = f.plan.variables[at].state;
            char text[most_fault_text];
            const char* const fault = asked.value->compute(&address_of, &f, kept < 0 ? nullptr : f.kept_values[kept], f.slots[at].number, text);
            if (fault) refuse_value(place_of(f, r, part < 0 ? 0 : part), *asked.value, fault);
        }
    }
}

}  // namespace cograph::core
