// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/observer.hpp>
#include <cograph/plan/refused/text.hpp>

#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

namespace cograph::core {

// The kinds of findings.
enum class finding_kind : unsigned char {
    write_write_race,     // two elements of a node write one place
    read_write_race,      // an element reads another element that is written
    order_dependence,     // results depend on the order of the elements
    not_repeatable,       // the same run from the same memory gives another result
    out_not_written,      // an element of a variable that is marked out is not written
    out_read,             // the old value of a variable marked out decides a result of the node
    unset_read,           // a result of the node depends on an element that an earlier node marks out and did not write, or of a temp that no node wrote
    in_written,           // a variable marked in is written
    write_beyond_extent,  // memory before or after a variable is written
    read_beyond_extent,   // the contents of that memory decide a result of the node
    nan_left_out,         // minimum or maximum leaves out a term that is NaN
    nan_in_predicate,     // a condition reads NaN, or computes it
    endless_loop,         // an iteration begins in a state that was there before
    differs_from_host,    // a node gives other results on a GPU than on the host
    differs_as_graph,     // a graph gives other results than the nodes one by one
    differs_as_nodes,     // so does a graph that has a node for each
    inout_not_read,       // a variable marked inout is never read: out would do
    inout_not_written,    // a variable marked inout is never written: in would do
    in_not_read,          // a variable marked in is never read
    partly_written,       // some elements of a variable that is marked out, and arrives whole, are not written
    changed_after_test    // a loop goes on since its body has changed again what its predicate tests
};

// One finding. Elements and iterations count from 0, and are -1 if there is none.
struct finding {
    finding_kind kind{};
    bool is_hint = false;     // correct code that could be declared better or may surprise
    place where{};            // the node, or the loop
    name_view variable{};
    index_t element = -1;     // of the variable
    index_t first = -1;       // elements of the node: the one that reads, writes or leaves out
    index_t second = -1;      // and the one whose write it meets
    index_t iteration = -1;   // of the innermost loop around the node
    place loop{};             // that loop
    place origin{};           // the node of the cause: it wrote the first NaN, did not write an element, or wrote the changed value
    double value = 0;         // of a difference: the number on the GPU, or in the graph
    double expected = 0;      // and the number that it is compared with
};

inline std::string text_of(name_view name) { return std::string(name.data, name.size); }
// Appended to, because -Wrestrict of g++ 12 warns about + with a literal and a temporary.
inline std::string quoted(const std::string& what) {
    std::string text(1, '\'');
    text += what;
    text += '\'';
    return text;
}
inline std::string text_of(const place& at) {
    std::string text = quoted(text_of(at.name));
    if (at.line) text += std::string(" (") + at.file + ":" + std::to_string(at.line) + ")";
    return text;
}
inline std::string element_text(const char* word, index_t element) { return element < 0 ? std::string() : word + std::to_string(element); }

// The two numbers that differ; nothing for elements that are no numbers.
inline std::string values_text(const finding& f) {
    if (f.value == f.expected) return {};
    char text[80];
    std::snprintf(text, sizeof text, ": %.9g, and not %.9g", f.value, f.expected);
    return text;
}

// The text of a finding about its node and variable.
inline std::string sentence_of(const finding& f) {
    const std::string variable = quoted(text_of(f.variable));
    const std::string place = quoted(text_of(f.variable) + element_text("[", f.element) + (f.element < 0 ? "" : "]"));
    const std::string first = element_text("element ", f.first), second = element_text("element ", f.second);
    const std::string by_first = f.first < 0 ? "" : first + " ";
    switch (f.kind) {
        case finding_kind::write_write_race:
            return f.first < 0 || f.second < 0 ? "several elements write " + place : first + " and " + second + " both write " + place;
        case finding_kind::read_write_race:
            return first + " reads " + place + ", which " + second + " writes";
        case finding_kind::order_dependence: return place + " depends on the order of the elements";
        case finding_kind::not_repeatable: return "gives another result in " + place + " when it runs again from the same memory";
        case finding_kind::out_not_written:
            return f.element < 0 ? "writes nothing to " + variable + ", which is marked out" : "does not write " + place + ", which is marked out";
        case finding_kind::out_read: return by_first + "reads " + variable + ", which is marked out: " + place + " depends on its earlier contents";
        case finding_kind::unset_read:
            return by_first + "reads " + place + (f.origin.name.size ? ", which " + text_of(f.origin) + " has not written, though it marks it out" : std::string(", which no node has written"));
        case finding_kind::in_written: return by_first + "writes " + place + ", which is marked in";
        case finding_kind::write_beyond_extent: return by_first + "writes memory beyond the elements of " + variable;
        case finding_kind::read_beyond_extent: return by_first + "reads memory beyond the elements of " + variable;
        case finding_kind::nan_left_out: return std::string("leaves out ") + (f.first < 0 ? "a term" : "the term of " + first) + ", which is NaN: the result in " + variable + " does not show it";
        case finding_kind::nan_in_predicate:
            return (f.variable.size ? "decides by " + place + ", which is NaN" : std::string("decides by NaN, which its formula computes")) +
                   (f.origin.name.size ? "; " + text_of(f.origin) + " wrote the first NaN" : "");
        case finding_kind::endless_loop: return "does not end: an iteration begins as an earlier one did";
        case finding_kind::differs_from_host: return "gives another result on the GPU than on the host in " + place + values_text(f);
        case finding_kind::differs_as_graph: return "gives another result in a graph than node by node on a stream in " + place + values_text(f);
        case finding_kind::differs_as_nodes: return "gives another result in a graph of all its nodes than node by node on a stream in " + place + values_text(f);
        case finding_kind::inout_not_read: return "has not needed the earlier contents of " + variable + ", which is marked inout: out may do";
        case finding_kind::inout_not_written: return "has not written " + variable + ", which is marked inout: in may do";
        case finding_kind::in_not_read: return "has not needed " + variable + ", which is marked in";
        case finding_kind::partly_written: return "leaves elements of " + variable + ", which is marked out, as they were, from " + place + " on: mark it inout if they matter";
        case finding_kind::changed_after_test:
            return "goes on by " + variable + " as it is at the end of the iteration; the contents that " + text_of(f.origin) + " wrote, and other nodes used, would have ended it";
    }
    return {};
}
inline std::string text_of(const finding& f) {
    std::string text = text_of(f.where) + ": " + sentence_of(f);
    if (f.iteration >= 0) text += ", in iteration " + std::to_string(f.iteration) + " of " + text_of(f.loop);
    return text;
}

// The innermost loop around a node, and its iteration.
inline void place_in_loop(const frame& f, const iteration_counter& iterations, const plan_node& r, finding& to) {
    for (const plan_node* inner = &r; f.plan.regions[inner->region].owner >= 0;) {
        const plan_node& owner = f.plan.nodes[f.plan.regions[inner->region].owner];
        if (is_loop(owner.control)) {
            to.iteration = iterations.iteration_of(*inner);
            to.loop = place_of(f, owner);
            return;
        }
        inner = &owner;
    }
}

// The findings of a check, each once.
class check_report {
public:
    // Whether nothing was found. Hints do not count.
    bool empty() const { return findings_.empty(); }
    const std::vector<finding>& findings() const { return findings_; }
    const std::vector<finding>& hints() const { return hints_; }

    // For people: a line for each finding, then one for each hint.
    std::string text() const {
        std::string all;
        for (const finding& f : findings_) all += text_of(f) + "\n";
        for (const finding& f : hints_) (all += "hint: ") += text_of(f) + "\n";
        return all;
    }
    template <class Out>
        requires text_stream<std::remove_reference_t<Out>>
    void write(Out&& out) const {
        out << text().c_str();
    }
    void write(std::FILE* file) const { std::fputs(text().c_str(), file); }

    // Refused calls.
    template <class Out>
        requires(!text_stream<Out>)
    auto write(Out const& out) const -> decltype(mistake_of<struct write_report_call, Out>(wrong_stream(given_word(&out))));

    void add(const finding& f) { (f.is_hint ? hints_ : findings_).push_back(f); }

private:
    std::vector<finding> findings_, hints_;
};

}  // namespace cograph::core
