// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/fill_frame.hpp>
#include <cograph/plan/lowering/lowered_node.hpp>
#include <cograph/plan/lowering/lowering_queries.hpp>
#include <cograph/plan/lowering/merged_kernels.hpp>
#include <cograph/plan/lowering/phase_queries.hpp>
#include <cograph/plan/lowering/tile_queries.hpp>
#include <cograph/plan/refused/text.hpp>
#include <cograph/plan/report/text.hpp>

namespace cograph::core {

// A note of a picture on a node: a line below its name, and its colour.
struct node_note {
    char line[48] = "";
    char colour[8] = "#ffffff";
};

// Writes a plan as a picture for Graphviz. Out is any stream with operator<< for const char* and int. Notes, by node, may be
// given.
template <class Out>
class dot_writer {
public:
    // Part: which of the plans in one picture; -1 if it is the only one.
    dot_writer(Out& out, const plan_view& plan, const record* records, const node_note* notes = nullptr, group_view groups = {nullptr},
               kernel_forms forms = {}, int part = -1)
        : out_(out), plan_(plan), records_(records), notes_(notes), groups_(groups), forms_(forms), part_(part) {}
    // The problem of a batch: all of its nodes are parts of one kernel.
    dot_writer(const dot_writer& around, int batch)
        : dot_writer(around.out_, *around.plan_.nodes[batch].from->inside->plan, around.records_ + around.plan_.nodes[batch].leaf + 1, nullptr, {nullptr}, kernel_forms{},
                     most_nodes_of_picture * (around.part_ + 2) + batch) {
        in_batch_ = true;
    }

    void write() {
        begin();
        write_contents();
        out_ << "}\n";
    }
    void begin() {
        out_ << "digraph cograph {\n"
                "  compound=true; rankdir=TB; nodesep=0.35; ranksep=0.35;\n"
                "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\", fontsize=11];\n"
                "  edge [color=\"#555555\", arrowsize=0.7];\n";
    }
    void write_contents() {
        write_region(0);
        for (int r = 0; r < plan_.count.nodes; ++r) write_edges(r);
    }
    // The name of a node, or of the box or the point of a region.
    void name(const char* kind, int number) {
        out_ << kind;
        if (part_ >= 0) out_ << part_ << "_";
        out_ << number;
    }

private:
    static constexpr int most_nodes_of_picture = 100'000;

    // Graphviz takes no empty tags.
    void text(name_view name) { write_escaped(out_, name.size > 0 ? name : name_view(" "), escape_for_dot); }

    void title(const plan_node& r) { text(records_[r.leaf].label ? name_view(records_[r.leaf].label) : r.from->name.read()); }

    // The variables that a node accesses in one way, on a line of their own.
    void variables(const plan_node& r, bool written, const char* colour) {
        bool first = true;
        for (int a = r.first_access; a < r.first_access + r.access_count; ++a) {
            const access& used = plan_.accesses[a];
            if (used.variable >= plan_.count.named || !(written ? writes(used.how) : reads(used.how))) continue;
            bool repeated = false;
            for (int b = r.first_access; b < a; ++b)
                repeated |= plan_.accesses[b].variable == used.variable &&
                            (written ? writes(plan_.accesses[b].how) : reads(plan_.accesses[b].how));
            if (repeated) continue;
            if (first)
                out_ << "<br/><font color=\"" << colour << "\" point-size=\"9\">";
            else
                out_ << " ";
            first = false;
            text(plan_.variables[used.variable].info->name.read());
        }
        if (!first) out_ << "</font>";
    }

    void write_node(int r) {
        const plan_node& here = plan_.nodes[r];
        out_ << "  ";
        name("n", r);
        out_ << " [label=<";
        if (here.kind == plan_node_kind::work) {
            out_ << "<b>";
            title(here);
            out_ << "</b>";
        } else {
            out_ << "<i>";
            title(here);
            out_ << (here.kind == plan_node_kind::condition ? "?" : "") << "</i>";
        }
        for (int part = 1; lowering_of(*here.from).parts && part < here.from->leaves; ++part) {
            out_ << "<br/><b>";
            text(place_of(records_[here.leaf + part], *lowering_of(*here.from).parts[part]).name);
            out_ << "</b>";
        }
        if (lowering_of(*here.from).predicated) out_ << "<br/><font point-size=\"9\" color=\"#555555\">predicated</font>";
        if (forms_.phases && has_phases(r) && *words_of(forms_.phases[r]).clause) out_ << "<br/><font point-size=\"9\" color=\"#555555\">" << words_of(forms_.phases[r]).clause << "</font>";
        if (notes_ && notes_[r].line[0]) {
            out_ << "<br/><font point-size=\"9\">";
            text(notes_[r].line);
            out_ << "</font>";
        }
        in_kernel_of(groups_, r, "");
        if (here.from->traits->reduces) in_kernel_of(forms_.if_too_many_elements, r, " if a loop has too many elements");
        variables(here, false, "#c0392b");
        variables(here, true, "#2456b8");
        out_ << ">";
        if (here.kind == plan_node_kind::condition) out_ << ", shape=hexagon, fillcolor=\"#fff3d6\", style=filled";
        if (here.kind == plan_node_kind::conditional) out_ << ", fillcolor=\"" << (in_batch_ || persistent_loop(plan_, r) >= 0 ? "#d3e8d6" : "#e6ecf5") << "\"";
        if (here.from->traits->persistent) out_ << ", fillcolor=\"#d3e8d6\"";
        if (notes_ && notes_[r].line[0]) out_ << ", fillcolor=\"" << notes_[r].colour << "\"";
        out_ << "];\n";
    }

    // That a node shares the kernel of an earlier one.
    void in_kernel_of(group_view groups, int r, const char* when) {
        if (!groups.first || groups.first[r] < 0 || groups.first[r] == r) return;
        const plan_node& first = plan_.nodes[groups.first[r]];
        out_ << "<br/><font point-size=\"9\" color=\"#555555\">in the kernel of ";
        title(first);
        out_ << (first.kind == plan_node_kind::condition ? "?" : "") << when << "</font>";
    }

    void write_region(int region) {
        for (int r = plan_.regions[region].first_node; r >= 0; r = plan_.nodes[r].next) {
            const plan_node& here = plan_.nodes[r];
            write_node(r);
            if (here.from->inside && here.kind == plan_node_kind::work) write_problem(r);
            for (int body = here.first_region; body < here.first_region + here.region_count; ++body) {
                out_ << "  subgraph ";
                name("cluster_", body);
                out_ << " {\n    label=<";
                title(here);
                if (here.control == spec_kind::when) out_ << (body == here.first_region ? ": then" : ": otherwise");
                if (here.control == spec_kind::switch_on) out_ << ": case " << body - here.first_region;
                if (is_loop(here.control)) lowering(r);
                if (is_branch(here.control) && body == here.first_region) lowering_of_branch(r);
                const bool odd = depth_of(body) % 2;
                const bool persistent = in_batch_ || persistent_loop(plan_, r) >= 0;
                out_ << ">; style=\"rounded,filled\"; color=\"" << (persistent ? "#86b590" : "#9aa7bd") << "\"; fillcolor=\""
                     << (persistent ? (odd ? "#f0f8f1" : "#e3f1e5") : (odd ? "#f4f6fa" : "#e9eef6"))
                     << "\"; fontname=\"Helvetica\"; fontsize=10;\n";
                if (plan_.regions[body].first_node < 0) {
                    out_ << "    ";
                    name("e", body);
                    out_ << " [label=\"\", shape=point];\n";
                }
                write_region(body);
                out_ << "  }\n";
                const bool empty = plan_.regions[body].first_node < 0;
                out_ << "  ";
                name("n", r);
                out_ << " -> ";
                name(empty ? "e" : "n", empty ? body : plan_.regions[body].first_node);
                out_ << " [lhead=";
                name("cluster_", body);
                out_ << ", style=dashed, arrowhead=empty];\n";
            }
        }
    }

    // What a batch runs for each problem.
    void write_problem(int batch) {
        dot_writer problem(*this, batch);
        if (problem.plan_.count.nodes == 0) return;
        out_ << "  subgraph ";
        problem.name("cluster_of_problem_", 0);
        out_ << " {\n    label=<each problem>; style=\"rounded,filled\"; color=\"#86b590\"; fillcolor=\"#e3f1e5\"; fontname=\"Helvetica\"; fontsize=10;\n";
        problem.write_contents();
        out_ << "  }\n  ";
        name("n", batch);
        out_ << " -> ";
        problem.name("n", problem.plan_.regions[0].first_node);
        out_ << " [lhead=";
        problem.name("cluster_of_problem_", 0);
        out_ << ", style=dashed, arrowhead=empty];\n";
    }

    // How a loop runs, and if not as one kernel, the node at fault.
    void lowering(int loop) {
        if (const int sharing = iterations_in_passes(forms_, plan_, loop); sharing > 0)
            out_ << "<br/><font point-size=\"9\" color=\"#555555\">" << sharing << " iterations in two passes if a loop has too many elements</font>";
        const int kernel = persistent_loop(plan_, loop);
        if (in_batch_ || (kernel >= 0 && kernel != loop)) return;
        out_ << "<br/><font point-size=\"9\" color=\"#555555\">";
        if (kernel == loop) {
            out_ << "one persistent kernel";
            const tile_layout* const layout = tiles_of(forms_.with_tiles, plan_, loop);
            if (layout) tiles(*layout);
            kept_by_threads(loop, layout && layout->status == tile_status::tiles);
        } else if (is_host_driven(*plan_.nodes[loop].from)) {
            out_ << "driven by the host";
        } else {
            const obstacle found = obstacle_of(plan_, loop);
            out_ << (is_unrolled(plan_, loop) ? "node by node, unrolled: " : "node by node: ");
            title(plan_.nodes[node_of_leaf(plan_, found.leaf)]);
            out_ << " " << words_of(found.why).clause;
        }
        out_ << "</font>";
    }

    // Which variables of a loop are on chip, and why others are not; or why there are no tiles.
    void tiles(const tile_layout& layout) {
        if (layout.status != tile_status::tiles) {
            out_ << ", no tiles: " << word_of(layout.status);
            return;
        }
        out_ << " over tiles";
        for (int i = 0; i < layout.variable_count; ++i) {
            out_ << (i == 0 ? ": " : ", ");
            text(layout.variables[i].variable->name.read());
            out_ << clause_of(layout.variables[i].where);
        }
    }

    // Whether the kernel that a node is a part of may have phases.
    bool has_phases(int node) const {
        const int loop = persistent_loop(plan_, node);
        for (int r = 0; loop >= 0 && r < plan_.count.nodes; ++r)
            if (is_in_phase(forms_.phases[r]) && persistent_loop(plan_, r) == loop) return true;
        return false;
    }

    // The variables of a loop whose elements threads keep, if it has tiles where these do not fit, in the order in which they have room.
    void kept_by_threads(int loop, bool has_tiles) {
        const kept_elements kept = kept_elements_of(*plan_.nodes[loop].from);
        const char* before = has_tiles ? "; without tiles threads may keep " : ", threads may keep ";
        for (int k = 0; k < kept.variable_count; ++k) {
            out_ << before;
            text(kept.variables[k]->name.read());
            before = ", ";
        }
    }

    // That a branch is predicated kernels, or why not.
    void lowering_of_branch(int branch) {
        if (in_batch_ || persistent_loop(plan_, branch) >= 0) return;
        out_ << "<br/><font point-size=\"9\" color=\"#555555\">";
        const predication found = predication_of_node(plan_, branch);
        if (found == predication::predicated)
            out_ << "predicated kernels</font>";
        else if (found == predication::driven_by_host)
            out_ << "decided by the host</font>";
        else
            out_ << "conditional node: it " << words_of(found).clause << "</font>";
    }

    int depth_of(int region) const {
        int depth = 0;
        for (; plan_.regions[region].owner >= 0; region = plan_.nodes[plan_.regions[region].owner].region) ++depth;
        return depth;
    }

    void write_edges(int r) {
        const plan_node& here = plan_.nodes[r];
        for (int e = here.first_edge; e < here.first_edge + here.edge_count; ++e) {
            out_ << "  ";
            name("n", plan_.edges[e]);
            out_ << " -> ";
            name("n", r);
            out_ << ";\n";
        }
    }

    Out& out_;
    const plan_view& plan_;
    const record* records_;
    const node_note* notes_;
    group_view groups_;
    kernel_forms forms_;
    const int part_;
    bool in_batch_ = false;
};

// Writes an expression for Graphviz: nodes with their reads (red) and writes (blue), edges, bodies as boxes; hexagons
// are the conditions. A loop that runs as one kernel is green, any other shows the reason; so do branches, and merged
// nodes show their kernel. write_dot(std::cout, solve); then: dot -Tsvg
template <class Out, expression E>
    requires text_stream<std::remove_reference_t<Out>>
void write_dot(Out&& out, E const& e) {
    dot_writer<std::remove_reference_t<Out>>(out, plan_of<typename E::self>::view, e.records, nullptr, groups_of<typename E::self>::view, forms_of<typename E::self>()).write();
}

}  // namespace cograph::core
