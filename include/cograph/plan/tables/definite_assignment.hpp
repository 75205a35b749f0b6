// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tables/plan_node.hpp>

namespace cograph::core {

// What enters and leaves an expression: marks each variable read, written, and read_first, the last when some path reads it
// before the expression has written all of it, and always_written where every path through it writes. A loop may run zero times and a branch may not be taken, so what they write
// does not count behind them, unless the loop is do_while or both branches write it. What a wait for an event marks others write,
// who reach neither temps nor scalars that are not bound.
struct assignment_pass {
    plan_tables t;
    bool* definite;  // by variable: written on every path to here
    int* log;        // the variables that became definite, in order; one for each access is enough
    int* mark;       // by variable
    int logged = 0;

    constexpr void visit_node(int r) {
        const plan_node& here = t.nodes[r];
        if (here.kind == plan_node_kind::conditional) {
            visit_bodies(here);
            return;
        }
        for (int a = here.first_access; a < here.first_access + here.access_count; ++a) {
            planned_variable& v = t.variables[t.accesses[a].variable];
            if (!reads(t.accesses[a].how)) continue;
            v.read = true;
            if (definite[t.accesses[a].variable] || v.read_first) continue;
            v.read_first = true;
            v.first_reader = r;
        }
        for (int a = here.first_access; a < here.first_access + here.access_count; ++a) {
            const int v = t.accesses[a].variable;
            if (!changes(here, t.accesses[a])) continue;
            t.variables[v].written = true;
            const variable_info* const info = t.variables[v].info;
            if (here.from->traits->written_elsewhere && (info->kind == variable_kind::temp || info->kind == variable_kind::scalar)) continue;
            if (definite[v]) continue;
            definite[v] = true;
            log[logged++] = v;
        }
    }

    constexpr void visit_region(int body) {
        for (int r = t.regions[body].first_node; r >= 0; r = t.nodes[r].next) visit_node(r);
    }

    // All of an expression.
    constexpr void visit() {
        visit_region(0);
        for (int i = 0; i < logged; ++i) t.variables[log[i]].always_written = true;
    }

    constexpr void forget(int from, int to) {
        for (int i = from; i < to; ++i) definite[log[i]] = false;
    }

    constexpr void visit_bodies(const plan_node& here) {
        const int before = logged;
        if (here.control == spec_kind::do_while) {
            visit_region(here.first_region);
        } else if (here.control == spec_kind::when && here.region_count == 2) {
            visit_region(here.first_region);
            const int middle = logged;
            forget(before, middle);
            visit_region(here.first_region + 1);
            const int end = logged;
            forget(middle, end);
            const int in_first = -2 - here.handle;  // order_nodes left numbers of regions in mark: -1 and up
            for (int i = before; i < middle; ++i) mark[log[i]] = in_first;
            logged = before;
            for (int i = middle; i < end; ++i)
                if (mark[log[i]] == in_first) {
                    definite[log[i]] = true;
                    log[logged++] = log[i];
                }
        } else {
            for (int body = here.first_region; body < here.first_region + here.region_count; ++body) {
                visit_region(body);
                forget(before, logged);
                logged = before;
            }
        }
    }
};

}  // namespace cograph::core
