// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/report/json_text.hpp>
#include <cograph/plan/tables/plan_node.hpp>

namespace cograph::core {

// Writes the plan's facts about a node as members of a JSON object; see json_writer.
template <class Out>
class json_node {
public:
    json_node(json_text<Out>& json, const plan_view& plan, const record* records) : json_(json), plan_(plan), records_(records) {}

    void write(int r) {
        const plan_node& here = plan_.nodes[r];
        const record& where = records_[here.leaf];
        json_.string("kind", kind_word(here));
        json_.string("name", here.from->name.read());
        json_.key("label");
        if (where.label)
            json_.string(where.label);
        else
            json_.null();
        json_.string("file", where.file);
        json_.number("line", where.line);
        json_.reference("position", plan_.nodes[here.kind == plan_node_kind::condition ? decided_by(r) : r].position);
        json_.number("copy", here.copy);
        json_.number("region", here.region);
        json_.key("accesses").open("[");
        accesses(here);
        json_.close("]");
        if (here.kind == plan_node_kind::work) {
            json_.truth("opaque", here.from->traits->is_opaque);
            launch(here, where.shape);
        } else if (here.kind == plan_node_kind::condition) {
            json_.number("decides", decided_by(r));
        } else {
            json_.key("bodies").open("[");
            for (int body = 0; body < here.region_count; ++body) json_.number(here.first_region + body);
            json_.close("]");
            if (is_loop(here.control)) tests(here, where.shape.count);
        }
    }

private:
    static const char* kind_word(const plan_node& r) {
        if (r.kind == plan_node_kind::condition) return "condition";
        if (r.kind == plan_node_kind::conditional) return is_loop(r.control) ? "loop" : "branch";
        return r.from->traits->kind;
    }

    // The loop or branch of a condition.
    int decided_by(int condition) const {
        int r = 0;
        while (plan_.nodes[r].kind != plan_node_kind::conditional || plan_.nodes[r].handle != plan_.nodes[condition].handle) ++r;
        return r;
    }

    // After how many iterations a loop tests, and how many it may do.
    void tests(const plan_node& loop, index_t limit) {
        bool limited = false;
        for (int i = 0; i + 1 < loop.from->argument_count; ++i)
            limited |= loop.from->arguments[i].form == argument_form::counter && loop.from->arguments[i + 1].form == argument_form::count;
        json_.number("check_every", loop.from->every);
        json_.key("at_most");
        if (limited)
            json_.number(limit);
        else
            json_.null();
    }

    // Each variable once.
    void accesses(const plan_node& r) {
        for (int a = r.first_access; a < r.first_access + r.access_count; ++a) {
            const int v = plan_.accesses[a].variable;
            access_mode how = access_mode::none;
            bool repeated = false;
            for (int b = r.first_access; b < r.first_access + r.access_count; ++b) {
                if (plan_.accesses[b].variable != v) continue;
                how = how | plan_.accesses[b].how;
                repeated |= b < a;
            }
            if (repeated || v >= plan_.count.named) continue;
            json_.open("{");
            json_.number("variable", v);
            json_.truth("read", reads(how));
            json_.truth("written", writes(how) && !r.from->traits->writes_nothing);
            json_.truth("own_element", touches_own_element(r, v));
            if (const near_radius* const near = radius_of_reads(r, v)) radius(*near);
            json_.close("}");
        }
    }
    void radius(const near_radius& near) {
        json_.key("near").open("[");
        for (int d = 0; d < near.rank; ++d) json_.number(near.along[d]);
        json_.close("]");
    }

    // The radius of x[near<...>], if a node accesses the variable in no other way; else null.
    const near_radius* radius_of_reads(const plan_node& r, int v) const {
        const near_radius* found = nullptr;
        for (int i = 0; r.kind == plan_node_kind::work && i < r.argument_count; ++i) {
            const argument& a = r.from->arguments[i];
            if (a.variable != plan_.variables[v].info || a.access == access_mode::none) continue;
            if (!a.near || found) return nullptr;
            found = a.near;
        }
        return found;
    }

    // Whether a node accesses only element i when it is called for i.
    bool touches_own_element(const plan_node& r, int v) const {
        if (r.kind == plan_node_kind::conditional) return false;
        bool own = false;
        for (int i = 0; i < r.argument_count; ++i) {
            const argument& a = r.from->arguments[i];
            if (a.variable != plan_.variables[v].info || a.access == access_mode::none) continue;
            if (!a.each) return false;
            own = true;
        }
        return own;
    }

    void launch(const plan_node& r, const shape_values& shape) {
        json_.key("launch");
        const node_traits& traits = *r.from->traits;
        if (!traits.is_kernel) {
            json_.null();
            return;
        }
        json_.open("{");
        json_.string("rule", traits.rule);
        if (traits.threads_of_group != 0) json_.number("group", traits.threads_of_group);
        if (traits.box_rank > 1) json_.number("dimensions", traits.box_rank);
        if (traits.counts_elements) {
            const bool counted = r.from->domain.form == argument_form::extent || r.from->domain.form == argument_form::object;
            if (counted)
                json_.number("over", r.domain);
            else
                json_.number("count", records_[r.domain].shape.count);
        }
        for (int i = 1; traits.has_length && i < r.argument_count; ++i)
            if (r.from->arguments[i].form == argument_form::loop_around) json_.number("first", plan_.arguments[r.first_argument + i - 1]);
        if (traits.takes_shape && !traits.size) extents("grid", shape.grid);
        if (traits.takes_shape) {
            extents("block", shape.block);
            json_.number("shared", shape.shared);
            json_.number("priority", shape.priority);
            json_.truth("cooperative", shape.cooperative);
            json_.truth("programmatic", shape.programmatic);
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

    json_text<Out>& json_;
    const plan_view& plan_;
    const record* records_;
};

}  // namespace cograph::core
