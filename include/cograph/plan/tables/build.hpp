// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/races.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/plan/tables/plan_node.hpp>

namespace cograph::core {

// A variable and those whose extents it takes, one after another.
constexpr int likes_of(const variable_info* variable) {
    int count = 0;
    for (; variable; variable = variable->like) {
        ++count;
        for (int i = 0; variable->size_by && i < variable->size_by->variable_count; ++i) count += likes_of(variable->size_by->variables[i]);
    }
    return count;
}

// Those of a work's own loops.
constexpr int count_counters(const node_spec& tree) {
    int count = 0;
    for (int i = 0; !lowering_of(tree).of_further_iteration && i < tree.argument_count; ++i) count += tree.arguments[i].form == argument_form::counter;
    return count;
}

// For the body of a loop: how many of its children, from the first, run in every iteration. The others are passes
// over arrays for its predicate, once for each test. -1: the body is no such group.
constexpr int repeated_children(const node_spec& body) {
    const bool split = body.kind == spec_kind::sequence && body.child_count > 0 && body.children[body.child_count - 1]->passes;
    return split ? body.child_count - 1 : -1;
}

// How large the tables can become: bounds, but exact for nodes, arguments and regions.
constexpr plan_sizes measure_below(const node_spec& tree) {
    plan_sizes size;
    const auto add = [&](const node_spec& from, int copies) {
        const plan_sizes child = measure_below(from);
        size.nodes += copies * child.nodes;
        size.accesses += copies * child.accesses;
        size.arguments += copies * child.arguments;
        size.regions += copies * child.regions;
        size.variables += child.variables;
        size.hidden += copies * child.hidden;
        size.codes += child.codes;
        size.kept_values += child.kept_values;
        size.leaves += child.leaves;
        size.visible += copies * child.visible;
    };
    for (int i = 0; i < tree.child_count; ++i) {
        const node_spec& child = *tree.children[i];
        const int repeated = is_loop(tree.kind) ? repeated_children(child) : -1;
        if (tree.decided && i == 0)
            add(child, tree.kind == spec_kind::loop_while ? 2 : 1);
        else if (repeated < 0)
            add(child, is_loop(tree.kind) ? tree.every : lowering_of(tree).further_iterations > 0 ? lowering_of(tree).further_iterations : 1);
        for (int j = 0; repeated >= 0 && j < child.child_count; ++j) add(*child.children[j], j < repeated ? tree.every : 1);
    }
    size.hidden += lowering_of(tree).further_iterations;
    if (is_group(tree)) return size;

    const int uses = tree.decided ? tree.argument_count > 0 : is_loop(tree.kind) ? 2 : 1;
    for (int i = 0; i < tree.argument_count; ++i) {
        const argument& a = tree.arguments[i];
        size.variables += likes_of(a.variable);
        size.hidden += uses * (is_hidden_memory(a.form) || a.form == argument_form::computed);
        size.kept_values += keeps_value(a);
        size.visible += a.variable != nullptr || a.form == argument_form::loop_around;
        size.accesses += uses * (a.variable != nullptr || a.form == argument_form::loop_around);
        for (int v = 0; a.value && v < a.value->variable_count; ++v) {
            size.variables += likes_of(a.value->variables[v]);
            size.visible += 1;
            size.accesses += uses;
        }
    }
    size.variables += likes_of(tree.domain.variable);
    size.arguments += uses * tree.argument_count;
    size.leaves += tree.leaves;
    size.codes += uses;
    size.nodes += 1;
    if (tree.kind == spec_kind::work) {
        size.hidden += count_counters(tree);
        size.codes += tree.traits->decides;
        size.accesses += tree.traits->decides + 2 * lowering_of(tree).of_further_iteration;
    }
    if (tree.kind != spec_kind::work) {
        size.nodes += uses;
        size.regions += tree.child_count - tree.decided;
        size.hidden += 1;
        size.visible += 1;
        size.accesses += uses + size.visible;
    }
    return size;
}

constexpr plan_sizes measure(const node_spec& tree) {
    plan_sizes size = measure_below(tree);
    size.regions += 1;
    size.edges = 2 * (size.accesses + size.nodes);  // no access and no node is waited for, or waits for a write, twice
    return size;
}

// Writes the nodes of an expression. Linear in its output.
template <class Numbering>
struct plan_builder {
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

    constexpr void add_work(const node_spec& from, int in_region) {
        const int r = add_node(plan_node_kind::work, from, in_region);
        t.nodes[r].code = count.codes++;
        add_arguments(r, from, count.kept_values, lowering_of(from).of_further_iteration ? iteration : -1);
        if (lowering_of(from).of_further_iteration) add_iteration(r);
        count.kept_values += kept_values_of(from);
        count.leaves += from.leaves;
        bool touches_memory = false;
        for (int i = 0; i < from.argument_count; ++i) touches_memory |= reaches_memory(from.arguments[i]);
        t.nodes[r].ordered_against_all = !touches_memory && !lowering_of(from).of_further_iteration;
        t.nodes[r].domain = from.domain.variable ? number(from.domain.variable) : t.nodes[r].leaf;
    }

    // A kernel of the user's that decides, with the counts that it began with. Of a loop, it may be there twice: the second has no
    // position of its own.
    constexpr void add_decider(const node_spec& from, int in_region, const plan_counts& begin, int condition, int handle, bool again) {
        const int r = add_node(plan_node_kind::work, from, in_region);
        plan_node& here = t.nodes[r];
        here.leaf = begin.leaves;
        here.code = begin.codes;
        here.condition = condition;
        here.handle = handle;
        here.position = again ? -1 : begin.leaves - passed;
        here.domain = from.domain.variable ? number(from.domain.variable) : begin.leaves;
        add_arguments(r, from, begin.kept_values, -1);
        bool touches_memory = false;
        for (int i = 0; i < from.argument_count; ++i) touches_memory |= reaches_memory(from.arguments[i]);
        here.ordered_against_all = !touches_memory;
        add_access(condition, access_mode::read_write);
        ++here.access_count;
    }

    constexpr void add_condition(const node_spec& from, int in_region, int leaf, int code, int condition, int handle, int first_kept_value,
                                 bool with_arguments) {
        const int r = add_node(plan_node_kind::condition, from, in_region);
        t.nodes[r].leaf = leaf;
        t.nodes[r].code = code;
        t.nodes[r].condition = condition;
        t.nodes[r].handle = handle;
        add_arguments(r, from, first_kept_value, condition, with_arguments);
        add_access(condition, access_mode::read_write);
        ++t.nodes[r].access_count;
    }

    constexpr void add_control(const node_spec& from, int in_region) {
        const int leaf = count.leaves;
        const int code = count.codes;
        const int first_kept_value = count.kept_values;
        const int condition = count.named + count.conditions++;
        const int handle = count.handles++;
        const int state = count.loops;
        count.loops += is_loop(from.kind);
        const bool decided = from.decided;
        const bool has_condition = !decided || from.argument_count > 0;  // of one that is decided, it clears and counts
        count.codes += decided ? has_condition : is_loop(from.kind) ? 2 : 1;
        count.kept_values += kept_values_of(from);
        if (has_condition) add_condition(from, in_region, leaf, code, condition, handle, first_kept_value, from.kind != spec_kind::do_while);

        plan_counts of_decider = count;
        ++of_decider.leaves;
        if (decided && from.kind != spec_kind::do_while) add_decider(*from.children[0], in_region, of_decider, condition, handle, false);
        const int r = add_node(plan_node_kind::conditional, from, in_region);
        ++count.leaves;
        if (decided) {
            ++count.leaves;
            count.codes += 2;  // its kernel, and how a run without a graph launches it
            count.kept_values += kept_values_of(*from.children[0]);
        }
        t.nodes[r].condition = condition;
        t.nodes[r].handle = handle;
        t.nodes[r].first_region = count.regions;
        t.nodes[r].region_count = from.child_count - decided;
        count.regions += t.nodes[r].region_count;
        t.variables[condition].state = state;
        const int loop_outside = loop;
        if (is_loop(from.kind)) loop = condition;
        for (int i = 0; i < t.nodes[r].region_count; ++i) {
            const int body = t.nodes[r].first_region + i;
            t.regions[body] = region{.owner = r};
            add_copies(*from.children[i + decided], body, is_loop(from.kind) ? from.every : 1);
            if (!is_loop(from.kind)) continue;
            if (decided)
                add_decider(*from.children[0], body, of_decider, condition, handle, from.kind != spec_kind::do_while);
            else
                add_condition(from, body, leaf, code + 1, condition, handle, first_kept_value, true);
        }
        t.variables[condition].resets = in_region == 0 ? count.loops - state : 0;
        loop = loop_outside;
        close(r);
    }

    // Several iterations of a body, one after the other: the same nodes, conditions and loops, as separate nodes.
    constexpr void add_copies(const node_spec& tree, int body, int copies) {
        const plan_counts before = count;
        const int copy_outside = copy, passed_before = passed;
        const int repeated = repeated_children(tree);
        for (int i = 0; i < copies; ++i) {
            if (i > 0) {
                copy = i;
                passed = passed_before;
                count.conditions = before.conditions;
                count.codes = before.codes;
                count.kept_values = before.kept_values;
                count.leaves = before.leaves;
                count.loops = before.loops;
            }
            if (repeated < 0) add(tree, body);
            for (int child = 0; child < repeated; ++child) add(*tree.children[child], body);
        }
        copy = copy_outside;
        if (repeated >= 0) add(*tree.children[repeated], body);
    }

    // Passes after the first, which exists already.
    constexpr void add_further_iterations(const node_spec& tree, int body) {
        const plan_sizes own = measure_below(tree);
        const int first_code = count.codes, first_kept_value = count.kept_values - own.kept_values, first_leaf = count.leaves - own.leaves;
        const int copy_outside = copy;
        for (int i = 1; i <= lowering_of(tree).further_iterations; ++i) {
            copy = copy_outside + i;
            iteration = count.named + count.conditions++;
            t.variables[iteration] = planned_variable{.state = t.variables[t.nodes[t.regions[body].owner].condition].state, .resets = i};
            count.codes = first_code;
            count.kept_values = first_kept_value;
            count.leaves = first_leaf;
            for (int child = 0; child < tree.child_count; ++child) add(*tree.children[child], body);
        }
        copy = copy_outside;
    }
    // The nodes of such an iteration wait for the test before it, and that for all earlier tests; but a test need not
    // wait for the nodes between.
    constexpr void add_iteration(int r) {
        plan_node& here = t.nodes[r];
        add_access(iteration, lowering_of(*here.from).answers ? access_mode::write : access_mode::read);
        if (lowering_of(*here.from).answers) add_access(t.nodes[t.regions[here.region].owner].condition, access_mode::read_write);
        here.access_count = count.accesses - here.first_access;
    }

    // A conditional touches all that its bodies touch, the loop around it too, and its own condition.
    constexpr void close(int r) {
        plan_node& owner = t.nodes[r];
        owner.first_access = count.accesses;
        for (int body = owner.first_region; body < owner.first_region + owner.region_count; ++body) {
            for (int inner = t.regions[body].first_node; inner >= 0; inner = t.nodes[inner].next) {
                owner.ordered_against_all |= t.nodes[inner].ordered_against_all;
                for (int a = t.nodes[inner].first_access; a < t.nodes[inner].first_access + t.nodes[inner].access_count; ++a) {
                    const access touched = t.accesses[a];
                    if (touched.variable >= count.named && touched.variable != loop) continue;
                    int& known = last_use[touched.variable];
                    if (known >= owner.first_access) {
                        t.accesses[known].how = t.accesses[known].how | touched.how;
                    } else {
                        known = count.accesses;
                        add_access(touched.variable, touched.how);
                    }
                }
            }
        }
        add_access(owner.condition, access_mode::read_write);
        owner.access_count = count.accesses - owner.first_access;
    }

    constexpr void add_passes(const node_spec& tree, int in_region) {
        in_passes = true;
        for (int i = 0; i < tree.child_count; ++i) add_work(*tree.children[i], in_region);
        in_passes = false;
        passed += tree.child_count;
    }

    constexpr void add(const node_spec& tree, int in_region) {
        const bool outside = as_nodes;
        as_nodes = as_nodes || tree.as_nodes;
        if (tree.kind == spec_kind::work)
            add_work(tree, in_region);
        else if (tree.passes)
            add_passes(tree, in_region);
        else if (lowering_of(tree).further_iterations > 0)
            add_further_iterations(tree, in_region);
        else if (is_group(tree))
            for (int i = 0; i < tree.child_count; ++i) add(*tree.children[i], in_region);
        else
            add_control(tree, in_region);
        as_nodes = outside;
    }

    constexpr void name(const variable_info* variable) {
        for (; variable; variable = variable->like) {
            number(variable);
            for (int i = 0; variable->size_by && i < variable->size_by->variable_count; ++i) name(variable->size_by->variables[i]);
        }
    }

    // Names all variables first, so that hidden ones follow them; counts those and the conditions.
    constexpr void name_variables(const node_spec& tree) {
        for (int i = 0; i < tree.argument_count; ++i) {
            name(tree.arguments[i].variable);
            for (int v = 0; tree.arguments[i].value && v < tree.arguments[i].value->variable_count; ++v) name(tree.arguments[i].value->variables[v]);
        }
        name(tree.domain.variable);
        count.variables += tree.kind == spec_kind::work ? count_counters(tree) : is_group(tree) ? lowering_of(tree).further_iterations : 1;
        for (int i = 0; i < tree.child_count; ++i) name_variables(*tree.children[i]);
    }
};

}  // namespace cograph::core
