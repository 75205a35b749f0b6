// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan_flow.hpp"
#include "plan_run.hpp"

#include <cograph/plan/bind/binding_rules.hpp>

#include <algorithm>

// What is refused besides races and loops that cannot end, by brute force from the tree itself: no code and no method of the
// planner is used.
namespace plan_fuzz {

// The nodes without groups, in program order, with the first record of each.
struct model_node {
    const tree* from;
    int leaf;
};
using model_nodes = std::vector<model_node>;
inline void collect(const tree& t, int& leaf, model_nodes& to) {
    if (!is_group(t)) {
        to.push_back({&t, leaf});
        leaf += t.leaves;
    }
    for (const tree& child : t.children) collect(child, leaf, to);
}

inline bool is_pageable(const argument& a) { return a.variable && a.variable->kind == variable_kind::host; }

// The number of the first node in the bodies of a loop or branch that CUDA runs at the outermost level alone; -1: none.
inline int model_root_node(const tree& control) {
    model_nodes nodes;
    int leaf = 0;
    for (const tree& body : control.children) collect(body, leaf, nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const tree& t = *nodes[i].from;
        const bool copies = t.form == node_form::memory_copy && std::any_of(t.arguments.begin(), t.arguments.end(), is_pageable);
        if (copies || t.form == node_form::host || t.form == node_form::record || t.form == node_form::wait) return static_cast<int>(i);
    }
    return -1;
}

// Host memory that a copy takes and any node writes, or that a captured call takes and another node writes: the first.
inline const variable_info* model_stale_source(const model_nodes& nodes) {
    for (const model_node& node : nodes) {
        const bool copies = node.from->form == node_form::memory_copy;
        if (!copies && node.from->form != node_form::captured) continue;
        for (const argument& a : node.from->arguments) {
            if (copies && &a != &node.from->arguments[0]) continue;
            if (!is_pageable(a) || !read_by(a)) continue;
            for (const model_node& other : nodes)
                if ((copies || other.from != node.from) && (changed_by(*other.from) & bit(a))) return a.variable;
        }
    }
    return nullptr;
}

// What a run might be given: most of a tree's variables, sometimes one twice or a stranger.
struct bindings {
    std::vector<const variable_info*> variables;
    std::array<bool, most_variables + 3> is_const{};

    cograph::core::binding_list view() const { return {variables.data(), is_const.data(), static_cast<int>(variables.size())}; }
};
inline bindings random_bindings(const std::vector<const variable_info*>& named, dice& d) {
    bindings made;
    std::vector<const variable_info*>& all = made.variables;
    const bool forgets = d.one_in(2), constants = d.one_in(2);
    for (const variable_info* v : named)
        if (!forgets || !d.one_in(6)) all.push_back(v);
    for (int more = d.one_in(2) ? d.below(4) : 0; more > 0; --more)
        all.insert(all.begin() + d.below(static_cast<int>(all.size()) + 1), &pool[d.below(most_variables)]);
    for (std::size_t b = 0; b < all.size(); ++b) made.is_const[b] = constants && d.one_in(4);
    return made;
}

// What differs between the rules of a run, as the planner answers them, and those of a tree; empty when nothing does.
class rules_check {
public:
    rules_check(const tree& t, const model_flow& flow, const run_time_plan& plan) : plan_(plan.view()), flow_(flow) {
        int leaf = 0;
        collect(t, leaf, nodes_);
        mask known = 0;
        for (const model_node& node : nodes_) {
            for (const argument& a : node.from->arguments) name(a, known);
            name(node.from->domain, known);
        }
        check_expression();
    }

    // The same of a run with these bindings.
    void check_run(const bindings& given) {
        const std::vector<const variable_info*>& all = given.variables;
        const cograph::core::binding_list view = given.view();
        mask bound = 0, known = 0;
        for (const variable_info* v : named) known |= mask{1} << number_of(v);
        int twice = -1, stranger = -1, read_only = -1;
        for (int b = view.count; b-- > 0;)
            for (int before = 0; before < b; ++before)
                if (all[before] == all[b]) twice = b;
        for (int b = view.count; b-- > 0;) {
            bound |= mask{1} << number_of(all[b]);
            if (!has(known, all[b])) stranger = b;
            if (given.is_const[b] && has(flow_.written, all[b])) read_only = b;
        }
        const int unbound = first(named, [&](const variable_info* v) {
            return !has(bound, v) && !v->size_by && (v->kind != variable_kind::scalar || has(flow_.read_first, v));
        });
        const int overaligned = first(named, [&](const variable_info* v) {
            return v->alignment > 256 && (v->kind == variable_kind::temp || (v->kind == variable_kind::scalar && !has(bound, v)));
        });
        expect(cograph::core::first_unbound(plan_, view) == unbound, "first_unbound");
        expect(cograph::core::first_repeated(plan_, view) == twice, "first_repeated");
        expect(cograph::core::first_unknown(plan_, view) == stranger, "first_unknown");
        expect(cograph::core::first_const(plan_, view) == read_only, "first_const");
        expect(cograph::core::first_overaligned(plan_, view) == overaligned, "first_overaligned");
        const bool may_update = twice < 0 && stranger < 0 && read_only < 0;
        expect(cograph::core::keeps_update_rules(plan_, view) == may_update, "keeps_update_rules");
        expect(cograph::core::keeps_all_rules(plan_, view) == (may_update && unbound < 0 && unwritten_ < 0 && stale_ < 0 && overaligned < 0),
               "keeps_all_rules");
    }

    std::string found;
    std::vector<const variable_info*> named;  // by first appearance

private:
    void name(const argument& a, mask& known) {
        if (bit(a) & ~known) named.push_back(a.variable);
        known |= bit(a);
    }

    void expect(bool fact, const char* otherwise) {
        if (!fact && found.empty()) found = otherwise;
    }

    // The number of the first in a list of which something is so; -1: none.
    template <class F>
    static int first(const std::vector<const variable_info*>& all, F is_so) {
        const auto at = std::find_if(all.begin(), all.end(), is_so);
        return at == all.end() ? -1 : static_cast<int>(at - all.begin());
    }
    static bool has(mask some, const variable_info* v) { return some >> number_of(v) & 1; }

    void check_expression() {
        unwritten_ = first(named, [&](const variable_info* v) { return v->kind == variable_kind::temp && has(flow_.read_first, v); });
        const variable_info* const stale = model_stale_source(nodes_);
        stale_ = stale ? first(named, [&](const variable_info* v) { return v == stale; }) : -1;
        int device_only = -1;
        for (const model_node& node : nodes_)
            if (device_only < 0 && node.from->device_only) device_only = node.leaf;
        expect(cograph::core::first_unwritten_temp(plan_) == unwritten_, "first_unwritten_temp");
        expect(cograph::core::first_stale_source(plan_) == stale_, "first_stale_source");
        expect(cograph::core::first_device_only(plan_) == device_only, "first_device_only");
    }

    cograph::core::plan_view plan_;
    model_flow flow_;
    model_nodes nodes_;
    int unwritten_ = -1, stale_ = -1;
};

}  // namespace plan_fuzz
