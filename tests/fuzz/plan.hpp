// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan_check.hpp"
#include "plan_lifetime.hpp"
#include "plan_rules.hpp"
#include "plan_shrink.hpp"
#include "plan_sizes.hpp"

#include <cograph/expr/control/control_rules.hpp>

// Whether the planner's answers for a tree are those of brute force.
namespace plan_fuzz {

// The race of a group, as if it were par, against all pairs of accesses.
inline std::string check_race(const tree& t, const node_spec& group) {
    std::vector<model_access> all;
    int leaf = 0;
    for (std::size_t branch = 0; branch < t.children.size(); ++branch)
        collect(t.children[branch], static_cast<int>(branch), leaf, all);
    if (cograph::core::count_accesses(group.children, group.child_count) != static_cast<int>(all.size()))
        return "number of accesses";
    const cograph::core::race race = with_capacity(static_cast<int>(all.size()), [&](auto capacity) {
        return cograph::core::find_race<capacity>(group.children, group.child_count);
    });

    const auto same = [](const model_access& a, const cograph::core::found_access& b) {
        return a.variable == b.variable && a.how == b.how && a.branch == b.branch && a.leaf == b.leaf &&
               a.argument == b.argument;
    };
    for (std::size_t second = 0; second < all.size(); ++second) {
        bool conflict = false, named = false;
        for (std::size_t first = 0; first < second; ++first) {
            if (!races(all[first], all[second])) continue;
            conflict = true;
            named |= race.found && same(all[first], race.first);
        }
        if (!conflict) continue;
        if (!race.found) return "a race is not found";
        return named && same(all[second], race.second)
                   ? ""
                   : "a race names accesses that are not the first to conflict";
    }
    return race.found ? "a race is found where there is none" : "";
}

// The legality of every group and loop of a tree.
inline std::string check_legality(const tree& t, const node_spec& planted) {
    std::string found;
    if (is_group(t)) found = check_race(t, planted);
    if (loops(t.kind) && cograph::core::can_change(planted.arguments, planted.argument_count,
                                             *planted.children[0]) != model_can_change(t))
        found = "can_change";
    if (!is_group(t) && cograph::core::find_root_node(planted.children, planted.child_count) != model_root_node(t)) found = "find_root_node";
    for (std::size_t i = 0; i < t.children.size() && found.empty(); ++i)
        found = check_legality(t.children[i], *planted.children[i]);
    return found;
}

// The rules of a run, with bindings that a tree decides.
inline std::string check_rules(const tree& t, const model_flow& flow, const run_time_plan& plan) {
    rules_check checked(t, flow, plan);
    dice d(static_cast<std::uint64_t>(plan.count.accesses) << 32 | static_cast<unsigned>(plan.count.nodes));
    checked.check_run(random_bindings(checked.named, d));
    return checked.found;
}

// What is wrong with the planner's answers for a tree; empty when nothing is.
inline std::string check(const tree& t) {
    const planted seeds(t);
    const run_time_plan plan(seeds.root());
    const plan_check checked(t, seeds, plan);
    std::string found = checked.found;
    if (found.empty()) {
        const run_time_lifetimes lifetimes(plan);
        found = check_lifetimes(plan, lifetimes, 4);
        if (found.empty()) found = check_places(lifetimes, static_cast<std::uint64_t>(plan.count.accesses));
    }
    if (found.empty() && cograph::core::count_loops(seeds.root()) != plan.count.loops) found = "count_loops";  // plan_check has compared those
    if (found.empty()) found = check_rules(t, checked.flow, plan);
    dice d(static_cast<std::uint64_t>(plan.count.accesses) << 32 | static_cast<unsigned>(plan.count.edges));
    for (int i = 0; i < 2 && found.empty(); ++i) found = check_sizes(t, plan, random_sizes(d));
    return found.empty() ? check_legality(t, seeds.root()) : found;
}

// What is wrong, with a smallest tree for which something is.
inline std::string report(const tree& t) {
    std::string found = check(t);
    if (found.empty()) return found;
    const tree smallest = shrink(t, [](const tree& candidate) { return !check(candidate).empty(); });
    return found + "\nshrunk to: " + check(smallest) + "\n" + to_text(smallest);
}

}  // namespace plan_fuzz
