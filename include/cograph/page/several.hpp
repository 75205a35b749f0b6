// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/page/html.hpp>
#include <cograph/page/parts.hpp>
#include <cograph/page/refused/several.hpp>

#include <vector>

// One picture, one JSON and one page of several expressions. cograph.hpp does not include this.

namespace cograph::core {

template <expression E>
constexpr named_expression<E> named(const char* name, E const& e) {
    return {name, e};
}

template <class Out>
void write_dot_of(Out& out, const std::vector<plan_part>& parts) {
    const auto writer = [&](std::size_t p) {
        return dot_writer<Out>(out, *parts[p].plan, parts[p].records, nullptr, parts[p].groups, parts[p].forms, static_cast<int>(p));
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
        json_writer<Out>(out, *part.plan, part.records, part.groups, part.forms).write();
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

// The same as JSON: a list of plans, and the variables that more than one of them uses.
template <class Out, class... E>
    requires(text_stream<std::remove_reference_t<Out>> && sizeof...(E) > 0)
void write_json(Out&& out, const named_expression<E>&... e) {
    write_json_of(out, {part_of(e)...});
}

// The same as a page for a browser.
template <class Out, class... E>
    requires(text_stream<std::remove_reference_t<Out>> && sizeof...(E) > 0)
void write_html(Out&& out, const named_expression<E>&... e) {
    out << page.before_plan;
    script_stream<std::remove_reference_t<Out>> script(out);
    write_json_of(script, {part_of(e)...});
    out << page.before_times << "[]" << page.after;
}

}  // namespace cograph::core

namespace cograph {

using core::named;
using core::write_dot;
using core::write_html;
using core::write_json;

}  // namespace cograph
