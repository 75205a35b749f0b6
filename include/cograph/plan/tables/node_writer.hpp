// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tables/plan_node.hpp>

namespace cograph::core {

// Writes a node with its arguments into the tables of a plan.
template <class Numbering>
struct node_writer {
    plan_tables t;
    Numbering& number;
    plan_counts count;
    int* last_use;  // of each variable: an access in the conditional that is being closed
    int copy = 0;
    int passed = 0;  // leaves that are passes of predicates
    bool in_passes = false;
    bool as_nodes = false;  // nodes that are added now stay nodes
    int iteration = -1; // a further iteration of a loop that is unrolled: a variable
    int loop = -1;      // the innermost around the nodes that are added now: its condition, a variable

    constexpr int add_node(plan_node_kind kind, const node_spec& from, int in_region) {
        const int r = count.nodes++;
        // The type is named: nvcc ignores names of members in `x = {.member = value}` inside a template (13.4 and
        // 13.5, some of it since 13.0).
        t.nodes[r] = plan_node{.kind = kind, .control = from.kind, .from = &from, .leaf = count.leaves, .region = in_region, .copy = copy,
                        .position = in_passes ? -1 : count.leaves - passed, .as_nodes = as_nodes,
                        .domain = 0, .first_argument = count.arguments, .first_access = count.accesses};
        region& home = t.regions[in_region];
        if (home.last_node >= 0) t.nodes[home.last_node].next = r;
        if (home.first_node < 0) home.first_node = r;
        home.last_node = r;
        ++home.node_count;
        return r;
    }

    constexpr int add_hidden(unsigned bytes) {
        t.variables[count.variables] = planned_variable{.info = nullptr, .bytes = bytes};
        return count.variables++;
    }
    // A number that the host computes, of the values that it reads.
    constexpr int add_computed(const value_rule& rule, int& kept_value) {
        t.variables[count.variables] = planned_variable{.info = nullptr, .state = rule.keeps ? kept_value++ : -1};
        for (int i = 0; i < rule.variable_count; ++i)
            if (rule.variables[i]->kind == variable_kind::value) add_access(number(rule.variables[i]), access_mode::read);
        return count.variables++;
    }

    constexpr void add_access(int variable, access_mode how, bool partly = false) { t.accesses[count.accesses++] = {variable, how, partly}; }

    // The state of a loop that is a part of a node; the first in a node outside of all others clears all of its states.
    constexpr int add_state(int r, const argument& a, bool& first) {
        const int v = count.named + count.conditions++;
        t.variables[v].state = count.loops;
        for (int i = 0; first && t.nodes[r].region == 0 && i < t.nodes[r].from->argument_count; ++i) {
            const argument& other = t.nodes[r].from->arguments[i];
            t.variables[v].resets += other.form == argument_form::counter && other.size > 0;
        }
        first = false;
        count.loops += a.size > 0;
        return v;
    }

    // Condition -1: none. Without arguments, only that which leads to the loop's state is added.
    constexpr void add_arguments(int r, const node_spec& from, int first_kept_value, int condition, bool all = true) {
        int kept_value = first_kept_value;
        bool first_state = true;
        for (int i = 0; i < from.argument_count; ++i) {
            const argument& a = from.arguments[i];
            if (!all && a.form != argument_form::counter) break;  // it comes first
            int at = 0;
            if (a.variable) at = number(a.variable);
            if (a.form == argument_form::kept_value) at = kept_value++;
            if (is_hidden_memory(a.form)) at = add_hidden(a.size);
            if (a.value) at = add_computed(*a.value, kept_value);
            if (a.form == argument_form::counter) at = condition >= 0 ? condition : add_state(r, a, first_state);
            if (a.form == argument_form::count) at = t.nodes[r].leaf + static_cast<int>(a.size);
            if (a.form == argument_form::loop_around) at = a.size == 0 ? loop : -1;
            t.arguments[count.arguments++] = at;
            if (a.form == argument_form::loop_around && at >= 0) add_access(at, access_mode::read);  // the loop's test waits for all that do
            if (a.variable && a.access != access_mode::none) add_access(at, a.access, touches_partly(from, a));
        }
        t.nodes[r].argument_count = count.arguments - t.nodes[r].first_argument;
        t.nodes[r].access_count = count.accesses - t.nodes[r].first_access;
    }

    constexpr int kept_values_of(const node_spec& from) const {
        int kept_values = 0;
        for (int i = 0; i < from.argument_count; ++i) kept_values += keeps_value(from.arguments[i]);
        return kept_values;
    }
};

}  // namespace cograph::core
