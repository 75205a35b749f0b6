// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/tables/plan_node.hpp>

namespace cograph::core {

// A loop or branch with collectives that ranks may decide differently: its condition, and the variable that it reads.
struct rank_decision {
    int condition = -1;
    int variable = -1;
};

// Follows which variables may differ between ranks. Buffers and temps are a rank's own until a collective gives all
// ranks the same, and so is all that is computed from them, or written by a loop or branch that they decide. Scalars and values
// that the caller binds count as the same. A loop's body is visited until nothing changes, since an iteration reads what the ones
// before have written.
struct rank_pass {
    const plan_view& p;
    bool* own;     // by variable
    bool* before;  // of a loop's iteration, one loop after the other
    bool is_decided_by_own = false;
    rank_decision found{};

    constexpr bool has_collective(const plan_node& conditional) const {
        for (int body = conditional.first_region; body < conditional.first_region + conditional.region_count; ++body)
            for (int r = p.regions[body].first_node; r >= 0; r = p.nodes[r].next) {
                const plan_node& here = p.nodes[r];
                if (here.from->traits && here.from->traits->of_ranks != rank_role::none) return true;
                if (here.kind == plan_node_kind::conditional && has_collective(here)) return true;
            }
        return false;
    }

    constexpr void visit_region(int body) {
        for (int r = p.regions[body].first_node; r >= 0; r = p.nodes[r].next) visit_node(p.nodes[r]);
    }
    constexpr void visit_node(const plan_node& here) {
        if (here.kind == plan_node_kind::conditional) return visit_conditional(here);
        const rank_role role = here.kind == plan_node_kind::work ? here.from->traits->of_ranks : rank_role::none;
        bool from_own = role == rank_role::gives_own || is_decided_by_own;
        for (int a = here.first_access; a < here.first_access + here.access_count; ++a)
            if (const access& used = p.accesses[a]; reads(used.how)) {
                if (role == rank_role::compares) own[used.variable] = false;
                from_own = from_own || own[used.variable];
            }
        if (role == rank_role::gives_the_same) from_own = false;
        for (int a = here.first_access; a < here.first_access + here.access_count; ++a)
            if (const access& used = p.accesses[a]; changes(here, used)) own[used.variable] = from_own || (used.partly && own[used.variable]);
        if (here.kind == plan_node_kind::condition) own[here.condition] = from_own;
    }
    constexpr void visit_conditional(const plan_node& here) {
        const bool matters = has_collective(here), around = is_decided_by_own;
        if (matters) look_at(here);
        bool* const outer = before;
        before += p.count.variables;
        for (int left = is_loop(here.control) ? p.count.variables + 1 : 1; left > 0; --left) {
            for (int v = 0; v < p.count.variables; ++v) outer[v] = own[v];
            is_decided_by_own = around || own[here.condition];
            for (int body = here.first_region; body < here.first_region + here.region_count; ++body) visit_region(body);
            if (matters && is_loop(here.control)) look_at(here);
            bool is_as_before = true;
            for (int v = 0; v < p.count.variables; ++v) is_as_before = is_as_before && outer[v] == own[v];
            if (is_as_before) break;
        }
        before = outer;
        is_decided_by_own = around;
    }
    constexpr void look_at(const plan_node& here) {
        if (found.variable >= 0 || !own[here.condition]) return;
        for (int r = 0; r < p.count.nodes; ++r) {
            const plan_node& condition = p.nodes[r];
            for (int a = condition.first_access; decides(condition) && condition.condition == here.condition && a < condition.first_access + condition.access_count; ++a)
                if (const access& used = p.accesses[a]; reads(used.how) && used.variable < p.count.named && own[used.variable]) found = {here.condition, used.variable};
        }
    }
};

// The first such loop or branch of an expression.
constexpr rank_decision first_own_decision(const plan_view& p) {
    bool any = false;
    for (int r = 0; r < p.count.nodes; ++r) any = any || (p.nodes[r].from && p.nodes[r].from->traits && p.nodes[r].from->traits->of_ranks != rank_role::none);
    if (!any) return {};
    bool* const own = new bool[static_cast<unsigned>(p.count.variables * (p.count.regions + 1)) + 1]{};
    for (int v = 0; v < p.count.named; ++v) own[v] = p.variables[v].info->kind != variable_kind::scalar && p.variables[v].info->kind != variable_kind::value;
    rank_pass pass{p, own, own + p.count.variables};
    pass.visit_region(0);
    delete[] own;
    return pass.found;
}

}  // namespace cograph::core
