// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.hpp>

#include <vector>

namespace cograph::core {

// Several plans, and the variables that more than one of them uses.

// An expression with its name in a picture of several.
template <class E>
struct named_expression {
    const char* name;
    E expression;
};

// One of several plans in a picture.
struct plan_part {
    const char* name;
    const plan_view* plan;
    const record* records;
    group_view groups;
    kernel_forms forms;
    std::vector<const void*> kept;

    // The event of a node that records one or waits for it, unless that is a variable.
    const void* event_of(const plan_node& r) const {
        const bool is_known = is_event_node(r) && r.from->arguments[0].form == argument_form::kept_value;
        return is_known ? *static_cast<void* const*>(kept[static_cast<std::size_t>(plan->arguments[r.first_argument])]) : nullptr;
    }
    static bool records_event(const plan_node& r) { return r.kind == plan_node_kind::work && r.from->traits->writes_nothing; }
    static bool waits_for_event(const plan_node& r) { return r.kind == plan_node_kind::work && r.from->traits->written_elsewhere; }
    static bool is_event_node(const plan_node& r) { return records_event(r) || waits_for_event(r); }
};
template <class E>
plan_part part_of(const named_expression<E>& of) {
    using self = typename E::self;
    plan_part part{of.name, &plan_of<self>::view, of.expression.records, groups_of<self>::view, forms_of<self>(), {}};
    part.kept.resize(static_cast<std::size_t>(plan_of<self>::view.count.kept_values) + 1);
    addresses(of.expression.kept, part.kept.data());
    return part;
}

// A variable, or an event that is none, which several parts use.
struct shared_thing {
    const variable_info* variable;
    const void* event;
    bool is_event;

    // How a node uses it.
    access_mode used_by(const plan_part& part, const plan_node& r) const {
        bool takes = event && part.event_of(r) == event;
        access_mode how = access_mode::none;
        for (int a = r.first_access; a < r.first_access + r.access_count; ++a) {
            const access& used = part.plan->accesses[a];
            if (used.variable >= part.plan->count.named || part.plan->variables[used.variable].info != variable) continue;
            takes = true;
            how = how | used.how;
        }
        if (!is_event || !takes) return how;
        return plan_part::records_event(r) ? access_mode::write : plan_part::waits_for_event(r) ? access_mode::read : how;
    }
    access_mode used_by(const plan_part& part) const {
        access_mode how = access_mode::none;
        for (int r = 0; r < part.plan->count.nodes; ++r)
            if (part.plan->nodes[r].region == 0) how = how | used_by(part, part.plan->nodes[r]);
        return how;
    }
};

// In order of appearance. Cost: the square of the number of variables and events.
inline std::vector<shared_thing> shared_things(const std::vector<plan_part>& parts) {
    std::vector<shared_thing> found;
    const auto add = [&](const shared_thing& thing) {
        int users = 0;
        for (const plan_part& part : parts) users += thing.used_by(part) != access_mode::none;
        bool is_new = users > 1;
        for (const shared_thing& known : found) is_new = is_new && !(known.variable == thing.variable && known.event == thing.event);
        if (is_new) found.push_back(thing);
    };
    for (const plan_part& part : parts) {
        for (int v = 0; v < part.plan->count.named; ++v) {
            const variable_info& info = *part.plan->variables[v].info;
            if (info.internal || info.kind == variable_kind::count || info.kind == variable_kind::temp) continue;
            bool is_event = false;
            for (int r = 0; r < part.plan->count.nodes; ++r) {
                const plan_node& here = part.plan->nodes[r];
                is_event |= plan_part::is_event_node(here) && here.from->arguments[0].variable == &info;
            }
            add({&info, nullptr, is_event});
        }
        for (int r = 0; r < part.plan->count.nodes; ++r)
            if (const void* const event = part.event_of(part.plan->nodes[r])) add({nullptr, event, true});
    }
    return found;
}

}  // namespace cograph::core
