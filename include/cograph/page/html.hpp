// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.hpp>
#include <cograph/page/page.hpp>
#include <cograph/page/refused/html.hpp>

#include <cstdio>

// A plan as a page for a browser. cograph.hpp does not include this.

namespace cograph::core {

// A stream into an HTML script element: text that could end the element is written as JSON writes any character.
template <class Out>
class script_stream {
public:
    explicit script_stream(Out& out) : out_(out) {}

    script_stream& operator<<(const char* text) {
        for (const char* at = text; *at; ++at)
            if (*at == '<') return part(text, at) << at + 1;
        out_ << text;
        return *this;
    }

private:
    script_stream& part(const char* text, const char* end) {
        for (; text != end; ++text) {
            const char one[] = {*text, 0};
            out_ << one;
        }
        out_ << "\\u003c";
        return *this;
    }

    Out& out_;
};

template <class Out, class E>
void write_page_plan(Out& out, E const& e) {
    out << page.before_plan;
    script_stream<Out> script(out);
    write_json(script, e);
    out << page.before_times;
}

// Writes an expression's plan as one HTML page that needs no other file: zoom by the wheel, move by dragging. For the node
// under the pointer it shows accesses, label, source line, how its loop or branch runs and why it is no single kernel. Out is any stream
// with operator<< for const char*: std::ofstream("plan.html").
template <class Out, expression E>
    requires text_stream<std::remove_reference_t<Out>>
void write_html(Out&& out, E const& e) {
    write_page_plan(out, e);
    out << "[]" << page.after;
}

// The same with times, as profile gives them.
template <class Out, expression E, class Times>
    requires text_stream<std::remove_reference_t<Out>> && requires(Times const& times) { times.nodes()[0].median; }
void write_html(Out&& out, E const& e, Times const& times) {
    write_page_plan(out, e);
    const char* between = "[";
    for (const auto& t : times.nodes()) {
        char text[160];
        if (t.calls > 0)
            std::snprintf(text, sizeof text, "{\"calls\": %d, \"median\": %.4f, \"total\": %.4f, \"share\": %.6f}", t.calls, t.median, t.total, t.share);
        else
            std::snprintf(text, sizeof text, "null");
        out << between << text;
        between = ", ";
    }
    out << (*between == '[' ? "[]" : "]") << page.after;
}

}  // namespace cograph::core

namespace cograph {

using core::write_html;

}  // namespace cograph
