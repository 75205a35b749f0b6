// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/json_text.hpp>
#include <cograph/plan/lowering.hpp>
#include <cograph/plan/slot.hpp>

namespace cograph::core {

// Writes a plan as JSON; docs/plan.schema.json is the schema, docs/inspection.md explains it. Names, once written, stay; a
// change that readers would notice raises the version.
constexpr int json_version = 1;

template <class Out>
class json_writer {
public:
    json_writer(Out& out, const plan_view& plan, const record* records) : out_(out), json_(out), plan_(plan), records_(records) {}

    void write() {
        json_.open("{").key("cograph").number(json_version);
        list("variables", plan_.count.named, [&](int v) { variable(v); });
        list("regions", plan_.count.regions, [&](int r) { region_of(r); });
        list("nodes", plan_.count.rows, [&](int r) { node(r); });
        json_.line().key("edges").open("[");
        for (int r = 0; r < plan_.count.rows; ++r) edges(r);
        json_.close("]").line().key("lowering").open("[");
        for (int r = 0; r < plan_.count.rows; ++r)
            if (plan_.rows[r].kind == row_kind::conditional && is_loop(plan_.rows[r].control)) lowering(r);
        json_.close("]").close("}");
        out_ << "\n";
    }

private:
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
    void string(const char* key, name_view text) { json_.key(key).string(text); }
    void truth(const char* key, bool value) { json_.key(key).truth(value); }
    void number(const char* key, index_t value) { json_.key(key).number(value); }
    void reference(const char* key, int id) { json_.key(key).reference(id); }

    void variable(int v) {
        static constexpr const char* kinds[] = {"buffer", "scalar", "value", "view", "temp", "host", "pinned", "hidden"};
        const planned_variable& planned = plan_.variables[v];
        const variable_info& info = *planned.info;
        string("name", info.name.read());
        string("kind", kinds[static_cast<int>(info.kind)]);
        string("element", info.element.read());
        number("element_size", info.size);
        int like = -1;
        for (int w = 0; info.like && w < plan_.count.named; ++w)
            if (plan_.variables[w].info == info.like) like = w;
        reference("like", like);
        truth("read", planned.read);
        truth("written", planned.written);
        truth("input", planned.read_first);
        truth("output", planned.written && info.kind != variable_kind::temp);
    }

    static const char* control_word(seed_kind kind) {
        switch (kind) {
            case seed_kind::loop_while: return "loop_while";
            case seed_kind::do_while: return "do_while";
            case seed_kind::repeat: return "repeat";
            case seed_kind::when: return "when";
            default: return "switch_on";
        }
    }

    void region_of(int number_of_region) {
        const int owner = plan_.regions[number_of_region].owner;
        reference("owner", owner);
        string("kind", owner < 0 ? "graph" : control_word(plan_.rows[owner].control));
        reference("body", owner < 0 ? -1 : number_of_region - plan_.rows[owner].first_region);
    }

    static const char* kind_word(const row& r) {
        static constexpr const char* forms[] = {"kernel", "captured", "host", "record", "wait", "memory_copy", "barrier"};
        if (r.kind == row_kind::condition) return "condition";
        if (r.kind == row_kind::conditional) return is_loop(r.control) ? "loop" : "branch";
        return forms[static_cast<int>(r.from->form)];
    }

    // The loop or branch of a condition.
    int decided_by(int condition) const {
        int r = 0;
        while (plan_.rows[r].kind != row_kind::conditional || plan_.rows[r].handle != plan_.rows[condition].handle) ++r;
        return r;
    }

    void node(int r) {
        const row& here = plan_.rows[r];
        const record& where = records_[here.leaf];
        string("kind", kind_word(here));
        string("name", here.from->name.read());
        json_.key("label");
        if (where.label)
            json_.string(where.label);
        else
            json_.null();
        string("file", where.file);
        number("line", where.line);
        reference("position", plan_.rows[here.kind == row_kind::condition ? decided_by(r) : r].position);
        number("copy", here.copy);
        number("region", here.region);
        json_.key("accesses").open("[");
        accesses(here);
        json_.close("]");
        if (here.kind == row_kind::work) {
            truth("opaque", here.from->opaque || here.from->form != node_form::kernel);
            launch(here, where.shape);
        } else if (here.kind == row_kind::condition) {
            number("decides", decided_by(r));
        } else {
            json_.key("bodies").open("[");
            for (int body = 0; body < here.region_count; ++body) json_.number(here.first_region + body);
            json_.close("]");
            if (is_loop(here.control)) tests(here, where.shape.count);
        }
    }

    // After how many passes a loop tests, and how many it may do.
    void tests(const row& loop, index_t limit) {
        bool limited = false;
        for (int i = 0; i + 1 < loop.from->argument_count; ++i)
            limited |= loop.from->arguments[i].form == argument_form::counter && loop.from->arguments[i + 1].form == argument_form::count;
        number("check_every", loop.from->every);
        json_.key("at_most");
        if (limited)
            json_.number(limit);
        else
            json_.null();
    }

    // Each variable once.
    void accesses(const row& r) {
        for (int a = r.first_access; a < r.first_access + r.access_count; ++a) {
            const int v = plan_.accesses[a].variable;
            mode how = mode::none;
            bool repeated = false;
            for (int b = r.first_access; b < r.first_access + r.access_count; ++b) {
                if (plan_.accesses[b].variable != v) continue;
                how = how | plan_.accesses[b].how;
                repeated |= b < a;
            }
            if (repeated || v >= plan_.count.named) continue;
            json_.open("{");
            number("variable", v);
            truth("read", reads(how));
            truth("written", writes(how));
            truth("own_element", touches_own_element(r, v));
            json_.close("}");
        }
    }

    // Whether a node touches element i alone where it is called for i.
    bool touches_own_element(const row& r, int v) const {
        if (r.kind == row_kind::conditional) return false;
        bool own = false;
        for (int i = 0; i < r.argument_count; ++i) {
            const argument& a = r.from->arguments[i];
            if (a.variable != plan_.variables[v].info || a.access == mode::none) continue;
            if (!a.each) return false;
            own = true;
        }
        return own;
    }

    void launch(const row& r, const shape_values& shape) {
        static constexpr const char* rules[] = {"given", "per_element", "per_chunk", "single", "persistent"};
        json_.key("launch");
        if (r.from->form != node_form::kernel) {
            json_.null();
            return;
        }
        const launch_rule rule = r.from->rule;
        json_.open("{");
        string("rule", rules[static_cast<int>(rule)]);
        if (rule == launch_rule::per_element || rule == launch_rule::per_chunk) {
            const bool counted = r.domain.form == argument_form::extent || r.domain.form == argument_form::object;
            if (counted)
                number("over", r.domain.at);
            else
                number("count", records_[r.domain.at].shape.count);
        }
        if (rule == launch_rule::given) extents("grid", shape.grid);
        if (rule == launch_rule::given || rule == launch_rule::per_element) {
            extents("block", shape.block);
            number("shared", shape.shared);
            number("priority", shape.priority);
            truth("cooperative", shape.cooperative);
            truth("programmatic", shape.programmatic);
            const unsigned cluster[] = {shape.cluster & 255, shape.cluster >> 8 & 255, shape.cluster >> 16 & 255};
            if (shape.cluster != 0) extents("cluster", cluster);
        }
        json_.close("}");
    }
    void extents(const char* name, const unsigned* sizes) {
        json_.key(name).open("[");
        for (int i = 0; i < 3; ++i) json_.number(sizes[i]);
        json_.close("]");
    }

    void edges(int r) {
        const row& here = plan_.rows[r];
        for (int e = here.first_edge; e < here.first_edge + here.edge_count; ++e) {
            json_.open("{");
            number("from", plan_.edges[e]);
            number("to", r);
            json_.close("}");
        }
    }

    void lowering(int loop) {
        const int within = persistent_loop(plan_, loop);
        const obstacle found = obstacle_of(plan_, loop);
        json_.line().open("{");
        number("loop", loop);
        string("as", within < 0 ? "nodes" : within == loop ? "persistent_kernel" : "part_of_persistent_kernel");
        reference("within", within);
        string("why", words_of(found.why).word);
        reference("because_of", found.leaf < 0 ? -1 : row_of_leaf(plan_, found.leaf));
        json_.close("}");
    }

    Out& out_;
    json_text<Out> json_;
    const plan_view& plan_;
    const record* records_;
};

// Writes an expression's plan as JSON: variables, regions, nodes, edges, and how each loop runs. Out is any stream with
// operator<< for const char*. Strings are UTF-8; what is none in a label becomes U+FFFD.
template <class Out, expression E>
void write_json(Out& out, E const& e) {
    json_writer<Out>(out, plan_of<typename E::self>::view, e.records).write();
}

}  // namespace cograph::core
