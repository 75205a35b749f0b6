// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/plan/tables/measure.hpp>
#include <cograph/plan/tables/node_writer.hpp>
#include <cograph/plan/tables/plan_node.hpp>

namespace cograph::core {

// Writes the nodes of an expression. Linear in its output.
template <class Numbering>
struct plan_builder : node_writer<Numbering> {
    using writer = node_writer<Numbering>;
    using writer::add_access, writer::add_arguments, writer::add_node, writer::kept_values_of;
    using writer::as_nodes, writer::copy, writer::count, writer::in_passes, writer::iteration, writer::last_use, writer::loop, writer::number, writer::passed, writer::t;

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

    // A kernel of the user's that decides, with the counts that it began with. A loop may have it twice; the second one has no
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

    constexpr void begin_again(const plan_counts& before) {
        count.conditions = before.conditions;
        count.kept_values = before.kept_values;
        count.leaves = before.leaves;
        count.loops = before.loops;
    }
    constexpr void add_same_nodes(const node_spec& tree, int in_region) {
        const plan_counts before = count;
        for (int i = 0; i < tree.child_count; ++i) {
            begin_again(before);
            add(*tree.children[i], in_region);
        }
    }
    constexpr void leave_out(const node_spec& tree) {
        const plan_sizes own = measure_below(tree);
        count.kept_values += own.kept_values;
        count.leaves += own.leaves;
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
                count.codes = before.codes;
                begin_again(before);
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
        else if (lowering_of(tree).are_same_nodes)
            add_same_nodes(tree, in_region);
        else if (lowering_of(tree).are_left_out)
            leave_out(tree);
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
