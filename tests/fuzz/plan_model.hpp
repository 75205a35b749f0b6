// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan_tree.hpp"

#include <cograph/plan/tables/plan_node.hpp>

// What a plan must say, by brute force from the tree itself: no code and no method of the planner is used.
namespace plan_fuzz {

struct model_row {
    cograph::core::plan_node_kind kind;
    const tree* from;
    int leaf = 0, code = 0, kept_value = 0;  // numbers in program order
    int control = -1;                     // of conditions and conditionals: which in program order
    int handle = -1;                      // the same, copies counted
    int copy = 0;
    int position = 0;  // among nodes that are no passes, -1: a pass
    bool with_arguments = true;
    int first_counter = 0;  // of work: the control that its first counter counts as
    mask read = 0, written = 0;
    bool opaque = false;  // nothing is known of what it touches
    std::vector<int> bodies = {};

    bool conflicts(const model_row& other) const {
        return opaque || other.opaque || (written & (other.read | other.written)) || (read & other.written) ||
               (control >= 0 && control == other.control);
    }
};

// The regions of a tree: the graph and, behind each other in program order, the bodies of each conditional.
struct model {
    std::vector<std::vector<model_row>> regions;
    std::vector<const variable_info*> variables;  // by first appearance
    int leaves = 0, codes = 0, kept_values = 0, controls = 0, handles = 0, loops = 0;
    struct state {
        int first, resets;
    };
    std::vector<state> states;  // by control

    explicit model(const tree& t) : regions(1) {
        name(t);
        add(t, 0);
    }

private:
    void name(const tree& t) {
        arguments all = t.arguments;
        all.push_back(t.domain);
        for (const argument& a : all) {
            bool known = !a.variable;
            for (const variable_info* v : variables) known |= v == a.variable;
            if (!known) variables.push_back(a.variable);
        }
        for (const tree& child : t.children) name(child);
    }

    void add(const tree& t, int region) {
        if (is_group(t)) {
            in_passes_ = t.passes;
            for (const tree& child : t.children) add(child, region);
            in_passes_ = false;
            return;
        }
        model_row node{cograph::core::plan_node_kind::work, &t, leaves, codes, kept_values};
        node.copy = copy_;
        node.position = in_passes_ ? -1 : leaves - passed_;
        passed_ += in_passes_;
        leaves += t.leaves;
        for (const argument& a : t.arguments) kept_values += a.form == argument_form::kept_value;
        const bool is_loop = plan_fuzz::loops(t.kind);
        codes += is_loop ? 2 : 1;
        node.read = read_by(t.arguments);
        node.written = written_by(t.arguments);
        if (t.kind == spec_kind::work) {
            node.opaque = true;
            for (const argument& a : t.arguments)
                if (a.variable && a.access != access_mode::none && a.variable->kind != variable_kind::value) node.opaque = false;
            node.first_counter = controls;
            int own = 0;
            for (const argument& a : t.arguments) own += a.form == argument_form::counter && a.size > 0;
            bool first = true;
            for (const argument& a : t.arguments) {
                if (a.form != argument_form::counter) continue;
                note(controls++, {loops, first && region == 0 ? own : 0});
                loops += a.size > 0;
                first = false;
            }
            regions[region].push_back(node);
            return;
        }

        node.kind = cograph::core::plan_node_kind::condition;
        node.control = controls++;
        node.handle = handles++;
        const int first_loop = loops;
        loops += is_loop;
        model_row arrival = node;
        if (t.kind == spec_kind::do_while) {
            arrival.with_arguments = false;
            arrival.read = arrival.written = 0;
        }
        regions[region].push_back(arrival);

        model_row whole = node;
        whole.kind = cograph::core::plan_node_kind::conditional;
        whole.code = whole.kept_value = 0;
        whole.read = whole.written = 0;
        for (std::size_t i = 0; i < t.children.size(); ++i)
            whole.bodies.push_back(static_cast<int>(regions.size() + i));
        regions.resize(regions.size() + t.children.size());
        for (std::size_t i = 0; i < t.children.size(); ++i) {
            add_passes(t.children[i], whole.bodies[i], is_loop ? t.every : 1);
            if (is_loop) {
                model_row again = node;
                ++again.code;
                regions[whole.bodies[i]].push_back(again);
            }
            for (const model_row& inner : regions[whole.bodies[i]]) {
                whole.read |= inner.read;
                whole.written |= inner.written;
                whole.opaque |= inner.opaque;
            }
        }
        regions[region].push_back(whole);
        note(node.control, {first_loop, region == 0 ? loops - first_loop : 0});
    }

    // Passes of a body repeat its nodes; everything but handles is numbered as in the first.
    void add_passes(const tree& body, int region, int passes) {
        const int at[] = {leaves, codes, kept_values, controls, loops, passed_};
        const bool asks = body.kind == spec_kind::sequence && !body.children.empty() && body.children.back().passes;
        const int outside = copy_;
        for (int pass = 0; pass < passes; ++pass) {
            if (pass > 0) {
                copy_ = pass;
                leaves = at[0], codes = at[1], kept_values = at[2], controls = at[3], loops = at[4], passed_ = at[5];
            }
            if (!asks) add(body, region);
            for (std::size_t i = 0; asks && i + 1 < body.children.size(); ++i) add(body.children[i], region);
        }
        copy_ = outside;
        if (asks) add(body.children.back(), region);
    }

    void note(int control, state s) {
        if (static_cast<int>(states.size()) <= control) states.resize(control + 1);
        states[control] = s;
    }

    int copy_ = 0, passed_ = 0;
    bool in_passes_ = false;
};

// Every access below a tree, in program order.
struct model_access {
    const variable_info* variable;
    access_mode how;
    int branch, leaf, argument;
};
inline void collect(const tree& t, int branch, int& leaf, std::vector<model_access>& to) {
    for (std::size_t i = 0; i < t.arguments.size(); ++i) {
        const argument& a = t.arguments[i];
        if (a.variable && a.access != access_mode::none)
            to.push_back({a.variable, a.access, branch, leaf, static_cast<int>(i)});
    }
    leaf += !is_group(t);
    for (const tree& child : t.children) collect(child, branch, leaf, to);
}
inline bool races(const model_access& a, const model_access& b) {
    return a.branch != b.branch && a.variable == b.variable && (a.how != access_mode::read || b.how != access_mode::read);
}

inline mask written_below(const tree& t) {
    mask found = written_by(t.arguments);
    for (const tree& child : t.children) found |= written_below(child);
    return found;
}

// Whether a loop's body writes memory that its predicate reads.
inline bool model_can_change(const tree& loop) {
    mask memory = 0;
    for (const argument& a : loop.arguments)
        if (a.variable && a.variable->kind != variable_kind::value) memory |= bit(a);
    return read_by(loop.arguments) & memory & written_below(loop.children[0]);
}

}  // namespace plan_fuzz
