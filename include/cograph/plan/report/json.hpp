// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/frame.hpp>
#include <cograph/plan/lowering/lowering_queries.hpp>
#include <cograph/plan/lowering/merged_kernels.hpp>
#include <cograph/plan/lowering/phase_queries.hpp>
#include <cograph/plan/lowering/tile_queries.hpp>
#include <cograph/plan/refused/text.hpp>
#include <cograph/plan/report/json_node.hpp>
#include <cograph/plan/report/text.hpp>

namespace cograph::core {

// Writes a plan as JSON; docs/plan.schema.json is the schema, docs/inspection.md explains it. Names, once written, stay; a
// change that readers would notice raises the version.
constexpr int json_version = 1;

template <class Out>
class json_writer {
public:
    json_writer(Out& out, const plan_view& plan, const record* records, group_view groups, kernel_forms forms = {})
        : out_(out), json_(out), plan_(plan), records_(records), node_(json_, plan, records), groups_(groups), forms_(forms) {}

    void write() {
        json_.open("{").key("cograph").number(json_version);
        list("variables", plan_.count.named, [&](int v) { variable(v); });
        list("regions", plan_.count.regions, [&](int r) { region_of(r); });
        list("nodes", plan_.count.nodes, [&](int r) {
            node_.write(r);
            if (plan_.nodes[r].from->inside && plan_.nodes[r].kind == plan_node_kind::work) problem(plan_.nodes[r]);
        });
        json_.line().key("edges").open("[");
        for (int r = 0; r < plan_.count.nodes; ++r) edges(r);
        json_.close("]").line().key("lowering").open("[");
        for (int r = 0; groups_.first && r < plan_.count.nodes; ++r)
            if (plan_.nodes[r].kind == plan_node_kind::conditional && is_loop(plan_.nodes[r].control)) lowering(r);
        json_.close("]").line().key("branches").open("[");
        for (int r = 0; groups_.first && r < plan_.count.nodes; ++r)
            if (plan_.nodes[r].kind == plan_node_kind::conditional && is_branch(plan_.nodes[r].control)) branch(r);
        json_.close("]");
        shared_kernels("shared_kernels", groups_);
        shared_kernels("shared_kernels_if_too_many_elements", forms_.if_too_many_elements);
        json_.close("}");
        out_ << "\n";
    }

private:
    // What a batch runs for each problem: a plan whose nodes are all parts of one kernel.
    void problem(const plan_node& batch) {
        json_.key("problem").open("");
        json_writer(out_, *batch.from->inside->plan, records_ + batch.leaf + 1, group_view{nullptr}).write();
        json_.close("");
    }

    template <class Write>
    void list(const char* name, int count, Write write) {
        json_.line().key(name).open("[");
        for (int i = 0; i < count; ++i) {
            json_.line().open("{").key("id").number(i);
            write(i);
            json_.close("}");
        }
        json_.close("]");
    }
    void variable(int v) {
        static constexpr const char* kinds[] = {"buffer", "scalar", "value", "view", "temp", "host", "pinned", "count"};
        const planned_variable& planned = plan_.variables[v];
        const variable_info& info = *planned.info;
        json_.string("name", info.name.read());
        json_.string("kind", kinds[static_cast<int>(info.kind)]);
        json_.string("element", info.element.read());
        json_.number("element_size", info.size);
        json_.reference("like", number_of(info.like));
        size_of(info);
        json_.truth("read", planned.read);
        json_.truth("written", planned.written);
        json_.truth("input", planned.read_first);
        json_.truth("output", planned.written && info.kind != variable_kind::temp);
    }

    int number_of(const variable_info* variable) const {
        for (int v = 0; variable && v < plan_.count.named; ++v)
            if (plan_.variables[v].info == variable) return v;
        return -1;
    }
    // In postfix order: numbers, extents of variables, and operations on the two before.
    void size_of(const variable_info& info) {
        static constexpr const char* words[] = {"", "", "+", "-", "*", "/", "ceil_div", "%", "min", "max"};
        json_.key("size");
        if (!info.size_by || info.size_by->part_count == 0) return json_.null();  // memory of a batch has no formula
        json_.open("[");
        for (int i = 0; i < info.size_by->part_count; ++i) {
            const size_part& part = info.size_by->parts[i];
            if (part.what == size_step::number)
                json_.number(part.number);
            else if (part.what == size_step::extent)
                json_.open("{").key("extent_of").reference(number_of(info.size_by->variables[part.number])), json_.close("}");
            else
                json_.string(words[static_cast<int>(part.what)]);
        }
        json_.close("]");
    }

    static const char* control_word(spec_kind kind) {
        switch (kind) {
            case spec_kind::loop_while: return "loop_while";
            case spec_kind::do_while: return "do_while";
            case spec_kind::repeat: return "repeat";
            case spec_kind::when: return "when";
            default: return "switch_on";
        }
    }

    void region_of(int number_of_region) {
        const int owner = plan_.regions[number_of_region].owner;
        json_.reference("owner", owner);
        json_.string("kind", owner < 0 ? "graph" : control_word(plan_.nodes[owner].control));
        json_.reference("body", owner < 0 ? -1 : number_of_region - plan_.nodes[owner].first_region);
    }

    void edges(int r) {
        const plan_node& here = plan_.nodes[r];
        for (int e = here.first_edge; e < here.first_edge + here.edge_count; ++e) {
            json_.open("{");
            json_.number("from", plan_.edges[e]);
            json_.number("to", r);
            json_.close("}");
        }
    }

    void lowering(int loop) {
        const int within = persistent_loop(plan_, loop);
        const obstacle found = obstacle_of(plan_, loop);
        json_.line().open("{");
        json_.number("loop", loop);
        json_.string("as", is_host_driven(*plan_.nodes[loop].from) ? "driven_by_host" : within < 0 ? (is_unrolled(plan_, loop) ? "unrolled_nodes" : "nodes") : within == loop ? "persistent_kernel" : "part_of_persistent_kernel");
        json_.reference("within", within);
        json_.string("why", words_of(found.why).word);
        json_.reference("because_of", found.leaf < 0 ? -1 : node_of_leaf(plan_, found.leaf));
        if (const int sharing = iterations_in_passes(forms_, plan_, loop); sharing > 0) json_.number("iterations_in_passes", sharing);
        if (const tile_layout* const layout = within == loop ? tiles_of(forms_.with_tiles, plan_, loop) : nullptr) tiles(*layout);
        if (within == loop) kept_by_threads(loop);
        if (within == loop && forms_.phases) phases(loop);
        json_.close("}");
    }
    void phases(int loop) {
        json_.key("phases").open("[");
        for (int r = 0; r < plan_.count.nodes; ++r) {
            if (plan_.nodes[r].kind != plan_node_kind::work || persistent_loop(plan_, r) != loop) continue;
            json_.open("{");
            json_.number("node", r);
            json_.string("status", words_of(forms_.phases[r]).word);
            json_.close("}");
        }
        json_.close("]");
    }
    // The variables of a loop whose elements threads keep, if it has tiles where these do not fit, in the order in which they have room.
    void kept_by_threads(int loop) {
        json_.key("kept_by_threads").open("[");
        const kept_elements kept = kept_elements_of(*plan_.nodes[loop].from);
        for (int k = 0; k < kept.variable_count; ++k)
            for (int v = 0; v < plan_.count.named; ++v)
                if (plan_.variables[v].info == kept.variables[k]) json_.number(v);
        json_.close("]");
    }
    // The places of the variables of a loop over tiles.
    void tiles(const tile_layout& layout) {
        json_.string("tiles", word_of(layout.status));
        json_.key("on_chip").open("[");
        for (int i = 0; i < layout.variable_count; ++i) {
            json_.open("{");
            int v = 0;
            while (plan_.variables[v].info != layout.variables[i].variable) ++v;
            json_.number("variable", v);
            json_.string("where", word_of(layout.variables[i].where));
            json_.close("}");
        }
        json_.close("]");
    }

    void branch(int r) {
        const bool inside = persistent_loop(plan_, r) >= 0;
        const predication found = predication_of_node(plan_, r);
        json_.line().open("{");
        json_.number("branch", r);
        json_.string("as", found == predication::driven_by_host ? "driven_by_host" : inside ? "part_of_persistent_kernel" : found == predication::predicated ? "predicated_kernels" : "conditional_node");
        json_.string("why", inside ? words_of(lowering_status::persistent).word : words_of(found).word);
        json_.close("}");
    }

    void shared_kernels(const char* name, group_view groups) {
        json_.line().key(name).open("[");
        for (int first = 0; groups.first && first < plan_.count.nodes; ++first) {
            if (groups.first[first] != first) continue;
            json_.line().open("{").key("nodes").open("[");
            for (int r = 0; r < plan_.count.nodes; ++r)
                if (groups.first[r] == first) json_.number(r);
            json_.close("]").close("}");
        }
        json_.close("]");
    }

    Out& out_;
    json_text<Out> json_;
    const plan_view& plan_;
    const record* records_;
    json_node<Out> node_;
    group_view groups_;
    kernel_forms forms_;
};

// Writes an expression's plan as JSON: variables, regions, nodes, edges, how each loop and branch runs, and which
// nodes share a kernel. Out is any stream with operator<< for const char*. Strings are UTF-8; invalid bytes in a
// label become U+FFFD.
template <class Out, expression E>
    requires text_stream<std::remove_reference_t<Out>>
void write_json(Out&& out, E const& e) {
    json_writer<std::remove_reference_t<Out>>(out, plan_of<typename E::self>::view, e.records, groups_of<typename E::self>::view, forms_of<typename E::self>()).write();
}

}  // namespace cograph::core
