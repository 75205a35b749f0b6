// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.hpp>
#include <cograph/page/refused/several.hpp>

#include <vector>

// One picture and one JSON of several expressions. cograph.hpp does not include this.

namespace cograph::core {

// An expression with its name in a picture of several.
template <class E>
struct named_expression {
    const char* name;
    E expression;
};
template <expression E>
constexpr named_expression<E> named(const char* name, E const& e) {
    return {name, e};
}

// One of several plans in a picture.
struct plan_part {
    const char* name;
    const plan_view* plan;
    const record* records;
    group_view groups;
    const plan_view* with_tiles;
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
    plan_part part{of.name, &plan_of<self>::view, of.expression.records, groups_of<self>::view, plan_with_tiles<self>(), {}};
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

template <class Out>
void write_dot_of(Out& out, const std::vector<plan_part>& parts) {
    const auto writer = [&](std::size_t p) {
        return dot_writer<Out>(out, *parts[p].plan, parts[p].records, nullptr, parts[p].groups, parts[p].with_tiles, static_cast<int>(p));
    };
    writer(0).begin();
    for (std::size_t p = 0; p < parts.size(); ++p) {
        out << "  subgraph cluster_of_" << static_cast<int>(p) << " {\n    label=<<b>";
        write_escaped(out, name_view(parts[p].name), escape_for_dot);
        out << "</b>>; style=\"rounded\"; color=\"#9aa7bd\"; fontname=\"Helvetica\"; fontsize=12;\n";
        if (parts[p].plan->count.nodes == 0) out << "    none" << static_cast<int>(p) << " [label=\"\", shape=point];\n";
        writer(p).write_contents();
        out << "  }\n";
    }
    int number = 0;
    for (const shared_thing& thing : shared_things(parts)) {
        out << "  shared" << number << " [label=<";
        if (thing.variable)
            write_escaped(out, thing.variable->name.read(), escape_for_dot);
        else
            out << "event";
        out << ">, shape=" << (thing.is_event ? "diamond" : "ellipse") << ", fillcolor=\"#fdf6e3\"];\n";
        for (std::size_t p = 0; p < parts.size(); ++p) {
            for (int r = 0; r < parts[p].plan->count.nodes; ++r) {
                const plan_node& here = parts[p].plan->nodes[r];
                const access_mode how = here.region == 0 ? thing.used_by(parts[p], here) : access_mode::none;
                if (writes(how)) {
                    out << "  ";
                    writer(p).name("n", r);
                    out << " -> shared" << number << " [color=\"#2456b8\", style=dashed, constraint=false];\n";
                }
                if (reads(how)) {
                    out << "  shared" << number << " -> ";
                    writer(p).name("n", r);
                    out << " [color=\"#c0392b\", style=dashed, constraint=false];\n";
                }
            }
        }
        ++number;
    }
    out << "}\n";
}

template <class Out>
void write_json_of(Out& out, const std::vector<plan_part>& parts) {
    json_text<Out> json(out);
    json.open("{").key("cograph").number(json_version);
    json.line().key("expressions").open("[");
    for (const plan_part& part : parts) {
        json.line().open("{");
        json.string("name", part.name);
        json.key("plan").open("");
        json_writer<Out>(out, *part.plan, part.records, part.groups, part.with_tiles).write();
        json.close("}");
    }
    json.close("]").line().key("shared").open("[");
    for (const shared_thing& thing : shared_things(parts)) {
        json.line().open("{");
        json.key("name");
        if (thing.variable)
            json.string(thing.variable->name.read());
        else
            json.null();
        json.truth("event", thing.is_event);
        json.key("uses").open("[");
        for (std::size_t p = 0; p < parts.size(); ++p) {
            const access_mode how = thing.used_by(parts[p]);
            if (how == access_mode::none) continue;
            json.open("{");
            json.number("expression", static_cast<index_t>(p));
            int v = 0;
            while (v < parts[p].plan->count.named && parts[p].plan->variables[v].info != thing.variable) ++v;
            json.reference("variable", thing.variable ? v : -1);
            json.truth("read", reads(how));
            json.truth("written", writes(how));
            json.close("}");
        }
        json.close("]").close("}");
    }
    json.close("]").close("}");
    out << "\n";
}

// One picture of several expressions, in the order in which they are given: write_dot(std::cout, named("setup", a), named("step", b)).
// Ellipses are the variables, and diamonds the events, that several of them use. Memory is shared only if it is bound to both.
template <class Out, class... E>
    requires(text_stream<std::remove_reference_t<Out>> && sizeof...(E) > 0)
void write_dot(Out&& out, const named_expression<E>&... e) {
    write_dot_of(out, {part_of(e)...});
}

// The same as JSON: a list of plans, and what several of them use.
template <class Out, class... E>
    requires(text_stream<std::remove_reference_t<Out>> && sizeof...(E) > 0)
void write_json(Out&& out, const named_expression<E>&... e) {
    write_json_of(out, {part_of(e)...});
}

}  // namespace cograph::core

namespace cograph {

using core::named;
using core::write_dot;
using core::write_json;

}  // namespace cograph
