// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tables/declared_extent.hpp>
#include <cograph/plan/tables/plan_node.hpp>

#include <cstdint>

namespace cograph::core {

// How much of a variable every path to here has written: nothing, the first n elements, or all of it.
using written_part = index_t;
inline constexpr written_part not_written = 0;
constexpr written_part first_written(index_t n) { return n + 1; }
inline constexpr written_part wholly_written = INT64_MAX;

// A change of that, and its previous value.
struct written_change {
    int variable;
    written_part before;
};

// The numbers of elements that a run knows, -1 for none: by variable, and by node as its shape counts. Null: as in
// declarations.
struct known_sizes {
    const index_t* counts = nullptr;
    const index_t* domains = nullptr;
};

// The inputs and outputs of an expression: marks each variable read, written, read_first (some path reads elements
// before the expression has written them) and always_written (every path writes it). A loop may run zero times and a
// branch may not be taken, so their writes do not count afterwards, unless the loop is do_while or both branches
// write. Variables that a wait for an event marks are written by others, which cannot reach temps and unbound
// scalars. A node reads and writes as many elements of x[each] as its shape counts; if sizes are not known, all of
// them. Linear.
struct assignment_pass {
    const plan_view& p;
    known_sizes sizes;
    planned_variable* found;
    written_part* written;  // by variable
    written_change* log;    // in order; one for each access is enough
    int* mark;              // by variable, anything
    int logged = 0;

    constexpr index_t count_of(int v) const { return sizes.counts ? sizes.counts[v] : declared_extent(p.variables[v].info); }
    constexpr index_t domain_of(int r) const {
        if (sizes.domains) return sizes.domains[r];
        const argument& counted = p.nodes[r].from->domain;
        return p.nodes[r].from->traits->counts_elements && counted.form == argument_form::extent ? declared_extent(counted.variable) : -1;
    }
    // The elements of a variable that a node accesses; `unknown` if sizes are not known.
    constexpr written_part part_of(int r, const access& touched, written_part unknown) const {
        if (!touched.partly || p.nodes[r].from->traits->writes_partly) return wholly_written;
        const index_t count = count_of(touched.variable), n = domain_of(r);
        if (count < 0 || n < 0) return unknown;
        return n < count ? first_written(n) : wholly_written;
    }

    constexpr void read(int r, const access& touched) {
        planned_variable& v = found[touched.variable];
        v.read = true;
        const written_part has = written[touched.variable];
        if (has == wholly_written || v.read_first) return;
        if (has != not_written && (domain_of(r) == 0 || has >= part_of(r, touched, first_written(0)))) return;
        v.read_first = true;
        v.first_reader = r;
        v.written_by_then = has;
    }
    constexpr void write(int r, const access& touched) {
        found[touched.variable].written = true;
        const variable_info* const info = p.variables[touched.variable].info;
        if (p.nodes[r].from->traits->written_elsewhere && (info->kind == variable_kind::temp || info->kind == variable_kind::scalar)) return;
        if (written[touched.variable] != wholly_written) raise(touched.variable, part_of(r, touched, wholly_written));
    }
    constexpr void visit_node(int r) {
        const plan_node& here = p.nodes[r];
        if (here.kind == plan_node_kind::conditional) {
            visit_bodies(here);
            return;
        }
        for (int a = here.first_access; a < here.first_access + here.access_count; ++a)
            if (reads(p.accesses[a].how)) read(r, p.accesses[a]);
        for (int a = here.first_access; a < here.first_access + here.access_count; ++a)
            if (changes(here, p.accesses[a])) write(r, p.accesses[a]);
    }

    constexpr void raise(int v, written_part to) {
        if (to <= written[v]) return;
        log[logged++] = {v, written[v]};
        written[v] = to;
    }

    constexpr void visit_region(int body) {
        for (int r = p.regions[body].first_node; r >= 0; r = p.nodes[r].next) visit_node(r);
    }

    // All of an expression.
    constexpr void visit() {
        visit_region(0);
        for (int i = 0; i < logged; ++i) found[log[i].variable].always_written = true;
    }

    // Takes changes back, the last first; each keeps its new value.
    constexpr void take_back(int from, int to) {
        for (int i = to; i-- > from;) {
            const written_part changed = written[log[i].variable];
            written[log[i].variable] = log[i].before;
            log[i].before = changed;
        }
    }

    constexpr void visit_branches(const plan_node& here) {
        const int before = logged;
        visit_region(here.first_region);
        const int middle = logged;
        take_back(before, middle);
        visit_region(here.first_region + 1);
        const int end = logged;
        take_back(middle, end);
        for (int i = before; i < middle; ++i) mark[log[i].variable] = i;  // the last counts
        logged = before;
        int both = middle;
        for (int i = middle; i < end; ++i) {
            const int v = log[i].variable, first = mark[v];
            if (first < before || first >= middle || log[first].variable != v) continue;
            const written_part least = log[first].before < log[i].before ? log[first].before : log[i].before;
            if (least <= written[v]) continue;
            log[both++] = {v, written[v]};
            written[v] = least;
        }
        for (int i = middle; i < both; ++i) log[logged++] = log[i];
    }

    constexpr void visit_bodies(const plan_node& here) {
        if (here.control == spec_kind::do_while) {
            visit_region(here.first_region);
        } else if (here.control == spec_kind::when && here.region_count == 2) {
            visit_branches(here);
        } else {
            const int before = logged;
            for (int body = here.first_region; body < here.first_region + here.region_count; ++body) {
                visit_region(body);
                take_back(before, logged);
                logged = before;
            }
        }
    }
};

// The same for facts that every run knows.
constexpr void find_unwritten_reads(plan_tables t, const plan_counts& count, written_part* written, written_change* log, int* mark) {
    const plan_view p{t.nodes, t.accesses, t.arguments, t.regions, t.variables, t.edges, count};
    assignment_pass{p, {}, t.variables, written, log, mark}.visit();
}

}  // namespace cograph::core
