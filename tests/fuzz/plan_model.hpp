// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan_tree.hpp"

#include <cograph/plan/row.hpp>

// What a plan must say, by brute force from the tree itself: no code and no method of the planner is used.
namespace plan_fuzz {

struct model_row {
    cograph::core::row_kind kind;
    const tree* from;
    int leaf = 0, code = 0, payload = 0;  // numbers in program order
    int control = -1;                     // of conditions and conditionals: which in program order
    bool with_arguments = true;
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
    int leaves = 0, codes = 0, payloads = 0, controls = 0;

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
            for (const tree& child : t.children) add(child, region);
            return;
        }
        model_row node{cograph::core::row_kind::work, &t, leaves, codes, payloads};
        leaves += t.leaves;
        for (const argument& a : t.arguments) payloads += a.form == argument_form::payload;
        codes += loops(t.kind) ? 2 : 1;
        node.read = read_by(t.arguments);
        node.written = written_by(t.arguments);
        if (t.kind == seed_kind::work) {
            node.opaque = true;
            for (const argument& a : t.arguments)
                if (a.access != mode::none && a.variable->kind != variable_kind::value) node.opaque = false;
            regions[region].push_back(node);
            return;
        }

        node.kind = cograph::core::row_kind::condition;
        node.control = controls++;
        model_row arrival = node;
        if (t.kind == seed_kind::do_while) {
            arrival.with_arguments = false;
            arrival.read = arrival.written = 0;
        }
        regions[region].push_back(arrival);

        model_row whole{cograph::core::row_kind::conditional, &t, node.leaf, 0, 0, node.control};
        for (std::size_t i = 0; i < t.children.size(); ++i)
            whole.bodies.push_back(static_cast<int>(regions.size() + i));
        regions.resize(regions.size() + t.children.size());
        for (std::size_t i = 0; i < t.children.size(); ++i) {
            add(t.children[i], whole.bodies[i]);
            if (loops(t.kind)) {
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
    }
};

// Every access below a tree, in program order.
struct model_access {
    const variable_info* variable;
    mode how;
    int branch, leaf, argument;
};
inline void collect(const tree& t, int branch, int& leaf, std::vector<model_access>& to) {
    for (std::size_t i = 0; i < t.arguments.size(); ++i) {
        const argument& a = t.arguments[i];
        if (a.variable && a.access != mode::none)
            to.push_back({a.variable, a.access, branch, leaf, static_cast<int>(i)});
    }
    leaf += !is_group(t);
    for (const tree& child : t.children) collect(child, branch, leaf, to);
}
inline bool races(const model_access& a, const model_access& b) {
    return a.branch != b.branch && a.variable == b.variable && (a.how != mode::read || b.how != mode::read);
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
