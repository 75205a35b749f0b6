// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/loop_state.hpp>
#include <cograph/expr/stream/captured.hpp>
#include <cograph/expr/stream/copies.hpp>
#include <cograph/expr/stream/events.hpp>
#include <cograph/expr/stream/host_work.hpp>
#include <cograph/expr/variable/size_formula.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Random programs as data: trees of what the planner reads, with nothing behind them.
namespace plan_fuzz {

using cograph::core::argument;
using cograph::core::argument_form;
using cograph::core::access_mode;
using cograph::core::node_spec;
using cograph::core::spec_kind;
using cograph::core::variable_info;
using cograph::core::variable_kind;

using arguments = std::vector<argument>;

// What a node is besides a kernel.
enum class node_form : unsigned char { kernel, captured, host, record, wait, memory_copy, barrier };
inline constexpr cograph::core::node_traits kernel_traits{.counts_elements = true};
inline const cograph::core::node_traits* traits_of(node_form form) {
    namespace core = cograph::core;
    static constexpr const core::node_traits* all[] = {&kernel_traits, &core::captured_traits, &core::host_work_traits, &core::record_event::traits,
                                                       &core::wait_for_event::traits, &core::copy_of_a_box_traits, &core::order_all::traits};
    return all[static_cast<int>(form)];
}

struct tree {
    spec_kind kind = spec_kind::work;
    plan_fuzz::arguments arguments = {};  // of control: those of its predicate
    std::vector<tree> children = {};
    argument domain = {argument_form::kept_value};
    int leaves = 1;  // records of its own: more for work that stands for several nodes
    int every = 1;   // of loops: passes from one test to the next
    bool passes = false;  // of a sequence: what a predicate asks of arrays
    node_form form = node_form::kernel;
    bool device_only = false;
};

using trees = std::vector<tree>;

inline bool is_group(const tree& t) { return t.kind == spec_kind::sequence || t.kind == spec_kind::parallel; }

// The variables that trees use: mostly memory, a third of it temps, some values, views and scalars, some pageable memory of the
// host. Many share a hash. The declaration of every other temp says its size.
constexpr int most_variables = 24;
constexpr int declared_size(int variable) { return variable == 4 ? 2 : variable == 10 ? 3 : variable == 16 ? 0 : -1; }
template <int Variable>
inline constexpr cograph::core::size_part size_parts[] = {{cograph::core::size_step::number, declared_size(Variable)}};
template <int Variable>
inline constexpr cograph::core::size_rule size_rules{size_parts<Variable>, 1, nullptr, 0, &cograph::core::compute_size};
inline const std::array<variable_info, most_variables> pool = [] {
    std::array<variable_info, most_variables> made{};
    for (int i = 0; i < most_variables; ++i) {
        made[i].kind = i % 8 == 6   ? variable_kind::value
                       : i % 8 == 7 ? variable_kind::view
                       : i % 3 == 1 ? variable_kind::temp
                       : i % 9 == 2 ? variable_kind::host
                       : i % 9 == 3 ? variable_kind::scalar
                                    : variable_kind::buffer;
        made[i].alignment = i % 4 == 0 ? 512 : 16;
        made[i].hash = i % 3 ? static_cast<std::size_t>(i) * 11400714819323198485ull : 5;
    }
    made[4].size_by = &size_rules<4>;
    made[10].size_by = &size_rules<10>;
    made[16].size_by = &size_rules<16>;
    return made;
}();

inline int number_of(const variable_info* variable) { return static_cast<int>(variable - pool.data()); }

using mask = std::uint64_t;  // of variables

inline mask bit(const argument& a) { return a.variable ? mask{1} << number_of(a.variable) : 0; }
inline mask read_by(const argument& a) { return a.access == access_mode::read || a.access == access_mode::read_write ? bit(a) : 0; }
inline mask read_by(const arguments& all) {
    mask found = 0;
    for (const argument& a : all) found |= read_by(a);
    return found;
}
inline mask written_by(const argument& a) { return a.access == access_mode::write || a.access == access_mode::read_write ? bit(a) : 0; }
inline mask written_by(const arguments& all) {
    mask found = 0;
    for (const argument& a : all) found |= written_by(a);
    return found;
}
inline bool loops(spec_kind kind) {
    return kind == spec_kind::loop_while || kind == spec_kind::do_while || kind == spec_kind::repeat;
}

// How trees are written down, here and in messages:
//   sequence({work({in(0), out(1)}), when({in(1)}, {work({out(2)}), work({out(3)})})})
inline argument marked(int v, access_mode how) {
    const bool by_value = pool[v].kind == variable_kind::value || pool[v].kind == variable_kind::view;
    return {by_value ? argument_form::object : argument_form::pointer, how, &pool[v], 0};
}
inline argument in(int v) { return marked(v, access_mode::read); }
inline argument out(int v) { return marked(v, access_mode::write); }
inline argument inout(int v) { return marked(v, access_mode::read_write); }
inline argument each(argument a) {
    a.each = true;
    return a;
}
inline argument extent(int v) { return {argument_form::extent, access_mode::none, &pool[v], 0}; }
inline argument workspace() { return {argument_form::workspace}; }
inline argument scratch(unsigned bytes) { return {argument_form::scratch, access_mode::none, nullptr, bytes}; }
inline const argument kept_value{argument_form::kept_value};
inline const argument stateless{argument_form::stateless};
inline argument domain_extent(unsigned leaf = 0) { return {argument_form::count, access_mode::none, nullptr, leaf}; }
inline const argument counter{argument_form::counter, access_mode::read_write, nullptr,
                              sizeof(cograph::core::loop_state)};
inline const argument counters_below{argument_form::counter, access_mode::read_write, nullptr, 0};  // counters of a branch

inline tree work(arguments a, argument domain = kept_value, int leaves = 1) {
    return {spec_kind::work, std::move(a), {}, domain, leaves};
}
inline tree of_form(node_form form, tree t) {
    t.form = form;
    return t;
}
inline tree sequence(trees below) { return {spec_kind::sequence, {}, std::move(below)}; }
inline tree parallel(trees below) { return {spec_kind::parallel, {}, std::move(below)}; }
inline tree loop_while(arguments a, trees body) {
    return {spec_kind::loop_while, std::move(a), std::move(body)};
}
inline tree do_while(arguments a, trees body) { return {spec_kind::do_while, std::move(a), std::move(body)}; }
inline tree repeat(arguments a, trees body) { return {spec_kind::repeat, std::move(a), std::move(body)}; }
inline tree when(arguments a, trees branches) { return {spec_kind::when, std::move(a), std::move(branches)}; }
inline tree switch_on(arguments a, trees cases) {
    return {spec_kind::switch_on, std::move(a), std::move(cases)};
}

inline std::string to_text(const argument& a) {
    switch (a.form) {
        case argument_form::extent: return "extent(" + std::to_string(number_of(a.variable)) + ")";
        case argument_form::kept_value: return "kept_value";
        case argument_form::stateless: return "stateless";
        case argument_form::count: return "domain_extent(" + std::to_string(a.size) + ")";
        case argument_form::counter: return a.size ? "counter" : "counters_below";
        case argument_form::workspace: return "workspace()";
        case argument_form::scratch: return "scratch(" + std::to_string(a.size) + ")";
        default: break;
    }
    const char* marks[] = {"none(", "in(", "out(", "inout("};
    const std::string text = marks[static_cast<int>(a.access)] + std::to_string(number_of(a.variable)) + ")";
    return a.each ? "each(" + text + ")" : text;
}

inline std::string to_text(const tree& t) {
    const char* names[] = {"work",     "sequence", "parallel", "loop_while",
                           "do_while", "repeat",   "when",     "switch_on"};
    const auto list = [](const auto& items) {
        std::string text = "{";
        for (const auto& item : items) text += (text.size() > 1 ? ", " : "") + to_text(item);
        return text + "}";
    };
    std::string text = std::string(names[static_cast<int>(t.kind)]) + "(";
    if (!is_group(t)) text += list(t.arguments);
    if (t.kind == spec_kind::work && (t.domain.form != argument_form::kept_value || t.leaves > 1)) text += ", " + to_text(t.domain);
    if (t.kind == spec_kind::work && t.leaves > 1) text += ", " + std::to_string(t.leaves);
    if (t.kind != spec_kind::work) text += (is_group(t) ? "" : ", ") + list(t.children);
    if (t.passes) text = "passes:" + text;
    const char* forms[] = {"", "captured:", "host:", "record:", "wait:", "memory_copy:", "barrier:"};
    text = (t.device_only ? "device_only:" : "") + (forms[static_cast<int>(t.form)] + text);
    return text + (t.every > 1 ? ", every " + std::to_string(t.every) + ")" : ")");
}

// A tree as the planner reads it. Lives no longer than the tree.
class planted {
public:
    explicit planted(const tree& t) : seeds_(size(t)), links_(size(t)) { plant(t, seeds_[made_++]); }

    const node_spec& root() const { return seeds_.front(); }
    // The nodes without groups, by their records.
    const std::vector<const node_spec*>& leaves() const { return leaves_; }

private:
    static std::size_t size(const tree& t) {
        std::size_t nodes = 1;
        for (const tree& child : t.children) nodes += size(child);
        return nodes;
    }

    void plant(const tree& t, node_spec& to) {
        const node_spec** links = links_.data() + linked_;
        const int children = static_cast<int>(t.children.size());
        linked_ += children;
        to.kind = t.kind;
        to.arguments = t.arguments.data();
        to.argument_count = static_cast<int>(t.arguments.size());
        to.children = links;
        to.child_count = children;
        to.domain = t.domain;
        to.leaves = t.leaves;
        to.every = t.every;
        to.passes = t.passes;
        to.traits = traits_of(t.form);
        to.device_only = t.device_only;
        if (!is_group(t)) leaves_.insert(leaves_.end(), t.leaves, &to);
        for (int i = 0; i < children; ++i) {
            node_spec& child = seeds_[made_++];
            links[i] = &child;
            plant(t.children[i], child);
        }
    }

    std::vector<node_spec> seeds_;
    std::vector<const node_spec*> links_;
    std::vector<const node_spec*> leaves_;
    std::size_t made_ = 0, linked_ = 0;
};

}  // namespace plan_fuzz
