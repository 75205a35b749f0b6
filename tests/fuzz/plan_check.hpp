// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan_edges.hpp"
#include "plan_flow.hpp"

namespace plan_fuzz {

// What differs between a plan and the model of its tree; empty when nothing does.
class plan_check {
public:
    plan_check(const tree& t, const planted& seeds, const run_time_plan& plan)
        : flow(t), plan_(plan), model_(t), leaves_(seeds.leaves()) {
        check_sizes();
        if (found.empty()) check_variables();
        if (found.empty()) check_region(0, 0);
        at("");
        expect(edges_ == plan_.count.edges, "number of edges");
        if (found.empty()) check_hidden();
        if (found.empty()) check_flow(t);
    }

    std::string found;
    const model_flow flow;

private:
    void expect(bool fact, const char* otherwise) {
        if (!fact && found.empty())
            found = std::string(place_) + (at_ < 0 ? "" : std::to_string(at_) + ": ") + otherwise;
    }

    // Where what follows is found.
    void at(const char* place, int number = -1) {
        place_ = place;
        at_ = number;
    }

    void check_sizes() {
        const cograph::core::plan_counts& c = plan_.count;
        const cograph::core::plan_sizes& s = plan_.size;
        int nodes = 0;
        for (const auto& region : model_.regions) nodes += static_cast<int>(region.size());
        expect(plan_.intact, "wrote behind a table");
        expect(c.nodes == nodes && s.nodes == nodes, "number of nodes");
        expect(c.regions == static_cast<int>(model_.regions.size()) && s.regions == c.regions,
               "number of regions");
        expect(c.codes == model_.codes && s.codes == c.codes, "number of codes");
        expect(c.kept_values == model_.kept_values && s.kept_values == c.kept_values, "number of kept_values");
        expect(c.leaves == model_.leaves && s.leaves == c.leaves, "number of leaves");
        expect(c.conditions == model_.controls, "number of conditions");
        expect(c.handles == model_.handles, "number of handles");
        expect(c.loops == model_.loops, "number of loops");
        expect(c.accesses <= s.accesses && c.arguments <= s.arguments && c.named <= s.variables &&
                   c.variables - c.named <= s.hidden && c.edges <= s.edges,
               "a table is fuller than measure says");
    }

    void check_variables() {
        expect(plan_.count.named == static_cast<int>(model_.variables.size()), "number of variables");
        for (int v = 0; v < plan_.count.named && found.empty(); ++v)
            expect(plan_.planned.data()[v].info == model_.variables[v],
                   "variables are not numbered by first appearance");
    }

    int planned_number(const argument& a) const {
        for (std::size_t v = 0; v < model_.variables.size(); ++v)
            if (model_.variables[v] == a.variable) return static_cast<int>(v);
        return -1;
    }

    // Compares the region `number` of the plan, and all below it, with one of the model.
    void check_region(int number, int modelled) {
        const std::vector<model_row>& expected = model_.regions[modelled];
        const cograph::core::region& region = plan_.regions.data()[number];
        std::vector<int> nodes;
        for (int r = region.first_node; r >= 0 && nodes.size() <= expected.size();
             r = plan_.nodes.data()[r].next) {
            expect(r < plan_.count.nodes && (nodes.empty() || nodes.back() < r),
                   "nodes of a region are not in program order");
            nodes.push_back(r);
        }
        expect(nodes.size() == expected.size() && region.node_count == static_cast<int>(nodes.size()) &&
                   (nodes.empty() || region.last_node == nodes.back()),
               "nodes of a region");
        for (std::size_t i = 0; i < nodes.size() && found.empty(); ++i) {
            check_node_call(nodes[i], expected[i], number);
            edges_ += plan_.nodes.data()[nodes[i]].edge_count;
        }
        if (found.empty()) found = wrong_edges(plan_, nodes, expected);
        for (std::size_t i = 0; i < nodes.size() && found.empty(); ++i) {
            for (std::size_t b = 0; b < expected[i].bodies.size() && found.empty(); ++b) {
                at("node ", nodes[i]);
                const int body = plan_.nodes.data()[nodes[i]].first_region + static_cast<int>(b);
                expect(body > 0 && body < plan_.count.regions && plan_.regions.data()[body].owner == nodes[i],
                       "a body's owner");
                if (found.empty()) check_region(body, expected[i].bodies[b]);
            }
        }
    }

    void check_node_call(int number, const model_row& expected, int region) {
        const plan_node& r = plan_.nodes.data()[number];
        at("node ", number);
        const bool is_conditional = r.kind == plan_node_kind::conditional;
        expect(r.kind == expected.kind && r.control == expected.from->kind, "kind");
        expect(r.from == leaves_[expected.leaf] && r.leaf == expected.leaf, "leaf");
        expect(is_conditional || r.code == expected.code, "code");
        expect(r.region == region, "region");
        expect(r.region_count == static_cast<int>(expected.bodies.size()), "number of bodies");
        expect(r.kind == plan_node_kind::condition || r.ordered_against_all == expected.opaque,
               "ordered_against_all");
        expect(expected.control < 0 ? r.condition < 0 : r.condition == plan_.count.named + expected.control,
               "condition");
        expect(r.handle == expected.handle, "handle");
        expect(r.copy == expected.copy, "copy");
        expect(r.kind == plan_node_kind::condition || r.position == expected.position, "position");
        if (r.kind == plan_node_kind::work)
            expect(
                    (!expected.from->domain.variable || r.domain == planned_number(expected.from->domain)),
                "domain");
        check_accesses(r, expected);
        if (!is_conditional) check_arguments(r, expected);
    }

    void check_accesses(const plan_node& r, const model_row& expected) {
        mask read = 0, written = 0, twice = 0;
        int of_condition = 0;
        for (int i = r.first_access; i < r.first_access + r.access_count; ++i) {
            expect(i >= 0 && i < plan_.count.accesses, "an access outside of the table");
            if (!found.empty()) return;
            const cograph::core::access a = plan_.accesses.data()[i];
            if (a.variable < 0 || a.variable >= plan_.count.named) {
                expect(a.variable == r.condition && a.how == access_mode::read_write, "hidden access");
                ++of_condition;
                continue;
            }
            const mask v = mask{1} << number_of(model_.variables[a.variable]);
            twice |= v & (read | written);
            if (a.how != access_mode::write) read |= v;
            if (a.how != access_mode::read) written |= v;
        }
        expect(read == expected.read && written == expected.written, "accesses");
        expect(of_condition == (expected.control >= 0), "access of its condition");
        expect(r.kind != plan_node_kind::conditional || !twice, "a variable twice in a union");
    }

    void check_arguments(const plan_node& r, const model_row& expected) {
        arguments given;
        for (const argument& a : expected.from->arguments)
            if (expected.with_arguments || a.form == argument_form::counter) given.push_back(a);
        int counter_number = expected.first_counter;
        expect(r.argument_count == static_cast<int>(given.size()), "number of arguments");
        expect(r.first_argument >= 0 && r.first_argument + r.argument_count <= plan_.count.arguments,
               "arguments");
        int payload_number = expected.kept_value;
        for (std::size_t i = 0; i < given.size() && found.empty(); ++i) {
            const int at = plan_.arguments.data()[r.first_argument + i];
            const argument& a = given[i];
            expect(r.from->arguments[i].form == a.form, "form of an argument");
            if (a.variable) expect(at == planned_number(a), "argument");
            if (a.form == argument_form::kept_value) expect(at == payload_number++, "argument");
            if (a.form == argument_form::count)
                expect(at == expected.leaf + static_cast<int>(a.size), "argument");
            if (a.form == argument_form::counter)
                expect(at == (r.kind == plan_node_kind::work ? plan_.count.named + counter_number++ : r.condition),
                       "argument");
            if (cograph::core::is_hidden_memory(a.form)) scratches_.push_back({at, a.size});
        }
    }

    // Every hidden variable is a condition, or the scratch memory of one argument.
    void check_hidden() {
        const int first_scratch = plan_.count.named + plan_.count.conditions;
        std::vector<bool> used(plan_.count.variables);
        for (const auto& [number, bytes] : scratches_) {
            expect(number >= first_scratch && number < plan_.count.variables && !used[number],
                   "scratch memory is shared");
            if (!found.empty()) return;
            used[number] = true;
            expect(plan_.planned.data()[number].bytes == bytes, "size of scratch memory");
        }
        expect(plan_.count.variables == first_scratch + static_cast<int>(scratches_.size()),
               "number of hidden variables");
        for (int control = 0; control < plan_.count.conditions; ++control) {
            const cograph::core::planned_variable& planned = plan_.planned.data()[plan_.count.named + control];
            expect(planned.bytes == 0, "size of a condition");
            expect(planned.state == model_.states[control].first && planned.resets == model_.states[control].resets,
                   "state of a loop");
        }
        for (int v = plan_.count.named; v < plan_.count.variables; ++v)
            expect(!plan_.planned.data()[v].info, "a hidden variable has a name");
    }

    void check_flow(const tree& t) {
        const model_paths paths(t);
        expect(!(paths.read_first & ~flow.read_first), "the two models of flow differ: a path reads first");
        expect(!paths.complete || paths.read_first == flow.read_first,
               "the two models of flow differ: no path reads first");
        expect(!(flow.always_written & ~paths.always_written), "the two models of flow differ: a path does not write");
        expect(!paths.complete || paths.always_written == flow.always_written, "the two models of flow differ: every path writes");
        for (int v = 0; v < plan_.count.named && found.empty(); ++v) {
            const cograph::core::planned_variable& planned = plan_.planned.data()[v];
            const int number = number_of(model_.variables[v]);
            at("variable ", number);
            expect(planned.read == (flow.read >> number & 1), "read");
            expect(planned.written == (flow.written >> number & 1), "written");
            expect(planned.read_first == (flow.read_first >> number & 1), "read_first");
            expect(planned.always_written == (flow.always_written >> number & 1), "always_written");
            if (!planned.read_first || !found.empty()) continue;
            expect(planned.written_by_then == flow.written_by_then[number] + 1, "written_by_then");
            expect(planned.first_reader >= 0 && planned.first_reader < plan_.count.nodes, "first_reader");
            if (!found.empty()) return;
            const plan_node& reader = plan_.nodes.data()[planned.first_reader];
            expect(reader.kind != plan_node_kind::conditional && reader.leaf == flow.first_reader[number],
                   "first_reader");
        }
    }

    const run_time_plan& plan_;
    model model_;
    const std::vector<const node_spec*>& leaves_;
    std::vector<std::pair<int, unsigned>> scratches_;
    int edges_ = 0;
    const char* place_ = "";
    int at_ = -1;
};

}  // namespace plan_fuzz
