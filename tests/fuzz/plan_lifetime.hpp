// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan_generator.hpp"
#include "plan_run.hpp"

#include <cograph/plan/analysis/arena.hpp>
#include <cograph/plan/analysis/liveness.hpp>

// Whether memory that may be shared keeps what a run needs of it: runs of a plan in any order that its edges allow.
namespace plan_fuzz {

using cograph::core::lifetime_view;

// The lifetimes of a plan, found at run time.
struct run_time_lifetimes {
    std::vector<int> item_of, variables;
    std::vector<std::uint64_t> conflicts;
    int items = 0, words = 0;
    bool intact = true;

    explicit run_time_lifetimes(const run_time_plan& plan) : item_of(plan.count.variables + 1) {
        const cograph::core::plan_view view = plan.view();
        items = cograph::core::number_items(view, item_of.data());
        words = (items + 63) / 64;
        variables.resize(items);
        conflicts.resize(items * words + 1);
        for (int v = 0; v < plan.count.variables; ++v)
            if (item_of[v] >= 0) variables[item_of[v]] = v;
        const std::size_t node_words = plan.words;
        guarded<int> local(plan.count.nodes), only_user(items), touched(items);
        guarded<std::uint64_t> reach(plan.count.nodes * node_words), users(items * node_words), before(items * node_words),
            seen(words), uses(plan.count.nodes * words), enters(plan.count.regions * words), leaves(plan.count.regions * words);
        cograph::core::liveness_pass{view, item_of.data(), items, words,
                                     {local.data(), reach.data(), users.data(), before.data(), only_user.data(), touched.data(),
                                      seen.data(), uses.data(), enters.data(), leaves.data(), static_cast<int>(node_words)},
                                     conflicts.data()}
            .pass(0);
        for (const auto* part : {&local, &only_user, &touched}) intact = intact && part->intact();
        for (const auto* part : {&reach, &users, &before, &seen, &uses, &enters, &leaves}) intact = intact && part->intact();
    }

    lifetime_view view() const { return {variables.data(), conflicts.data(), items, words}; }
    void set(int a, int b, bool conflict) {
        for (const auto& [i, j] : {std::pair(a, b), std::pair(b, a)}) {
            std::uint64_t& word = conflicts[i * words + j / 64];
            word = conflict ? word | std::uint64_t{1} << (j % 64) : word & ~(std::uint64_t{1} << (j % 64));
        }
    }
};

// One run of a plan. Rows that no edge orders overlap in time, loops and branches go where chance says. All items that may
// share memory do: who writes one spoils the others.
class shared_run {
public:
    shared_run(const run_time_plan& plan, const run_time_lifetimes& lifetimes, std::uint64_t seed)
        : plan_(plan), lifetimes_(lifetimes), dice_(seed), holds_(lifetimes.items), last_(lifetimes.items) {
        started region(plan, 0);
        while (found.empty() && step(region)) {
        }
    }
    std::string found;

private:
    enum class state { waits, runs, done };
    struct started {
        int region;
        std::vector<int> nodes;
        std::vector<state> states;
        std::vector<std::unique_ptr<started>> bodies;  // by node: what of it runs
        std::vector<int> rounds;                       // by node: that are left
        started(const run_time_plan& plan, int number) : region(number) {
            for (int r = plan.regions.data()[number].first_node; r >= 0; r = plan.nodes.data()[r].next) nodes.push_back(r);
            states.resize(nodes.size(), state::waits);
            bodies.resize(nodes.size());
            rounds.resize(nodes.size());
        }
    };

    // Does one thing that can be done now; false when nothing is left.
    bool step(started& in) {
        std::vector<std::size_t> ready;
        for (std::size_t i = 0; i < in.nodes.size(); ++i)
            if (in.states[i] == state::runs || (in.states[i] == state::waits && may_start(in, i))) ready.push_back(i);
        if (ready.empty()) return false;
        const std::size_t i = ready[dice_.below(static_cast<int>(ready.size()))];
        const plan_node& r = plan_.nodes.data()[in.nodes[i]];
        if (in.states[i] == state::waits)
            start(in, i, r);
        else
            go_on(in, i, r);
        return true;
    }

    bool may_start(const started& in, std::size_t i) const {
        const plan_node& r = plan_.nodes.data()[in.nodes[i]];
        for (int e = r.first_edge; e < r.first_edge + r.edge_count; ++e)
            for (std::size_t j = 0; j < i; ++j)
                if (in.nodes[j] == plan_.edges.data()[e] && in.states[j] != state::done) return false;
        return true;
    }

    void start(started& in, std::size_t i, const plan_node& r) {
        in.states[i] = state::runs;
        if (r.kind == plan_node_kind::conditional) {
            in.rounds[i] = loops(r.control) ? dice_.below(3) + (r.control == spec_kind::do_while) : 1;
        } else {
            each_access(r, [&](int item, bool reads, bool) { if (reads) must_hold(item, r); });  // or keeps in part
            each_access(r, [&](int item, bool, bool writes) { if (writes) write(item); });
        }
    }

    void go_on(started& in, std::size_t i, const plan_node& r) {
        if (r.kind != plan_node_kind::conditional) {
            each_access(r, [&](int item, bool, bool) { must_hold(item, r); });
            each_access(r, [&](int item, bool, bool writes) { if (writes) write(item); });
            in.states[i] = state::done;
            return;
        }
        if (in.bodies[i] && step(*in.bodies[i])) return;
        in.bodies[i] = nullptr;
        if (in.rounds[i]-- == 0) {
            in.states[i] = state::done;
            return;
        }
        const int body = loops(r.control) ? 0 : dice_.below(r.region_count + !(r.control == spec_kind::when && r.region_count == 2));
        if (body < r.region_count) in.bodies[i] = std::make_unique<started>(plan_, r.first_region + body);
    }

    // The items of a node that is no conditional. A temp that the plan knows to be read too early is none.
    template <class F>
    void each_access(const plan_node& r, F f) {
        for (int a = r.first_access; a < r.first_access + r.access_count; ++a) {
            const cograph::core::access& touched = plan_.accesses.data()[a];
            const int item = lifetimes_.item_of[touched.variable];
            if (item >= 0 && !plan_.planned.data()[touched.variable].read_first)
                f(item, touched.how != access_mode::write || (touched.partly && last_[item] > 0), touched.how != access_mode::read);
        }
        for (int i = 0; i < r.argument_count; ++i)
            if (r.from->arguments[i].form == argument_form::workspace)
                f(lifetimes_.item_of[plan_.arguments.data()[r.first_argument + i]], false, true);
    }

    void write(int item) {
        for (int other = 0; other < lifetimes_.items; ++other)
            if (other != item && !lifetimes_.view().conflict(item, other)) holds_[other] = -1;
        holds_[item] = last_[item] = ++writes_;
    }
    void must_hold(int item, const plan_node& r) {
        if (holds_[item] == last_[item] || !found.empty()) return;
        found = "node " + std::to_string(&r - plan_.nodes.data()) + " finds item " + std::to_string(item) + " overwritten";
    }

    const run_time_plan& plan_;
    const run_time_lifetimes& lifetimes_;
    dice dice_;
    std::vector<long> holds_, last_;
    long writes_ = 0;
};

// Items that only nodes of the graph itself touch share exactly when all nodes of one are before all of the other.
inline std::string wrong_outside_bodies(const run_time_plan& plan, const run_time_lifetimes& lifetimes) {
    std::vector<int> nodes;
    for (int r = plan.regions.data()[0].first_node; r >= 0; r = plan.nodes.data()[r].next) nodes.push_back(r);
    std::vector<std::vector<bool>> before(plan.count.nodes, std::vector<bool>(plan.count.nodes));
    for (const int r : nodes)
        for (int e = plan.nodes.data()[r].first_edge; e < plan.nodes.data()[r].first_edge + plan.nodes.data()[r].edge_count; ++e)
            for (const int q : nodes)
                if (q == plan.edges.data()[e] || before[q][plan.edges.data()[e]]) before[q][r] = true;
    const auto users = [&](int item) {
        std::vector<int> found;
        const int v = lifetimes.variables[item];
        for (const int r : nodes) {
            const plan_node& at = plan.nodes.data()[r];
            bool uses = false;
            for (int a = at.first_access; a < at.first_access + at.access_count; ++a) uses |= plan.accesses.data()[a].variable == v;
            for (int i = 0; i < at.argument_count; ++i)
                uses |= at.from->arguments[i].form == argument_form::workspace && plan.arguments.data()[at.first_argument + i] == v;
            if (uses) found.push_back(r);
        }
        return found;
    };
    for (int a = 0; a < lifetimes.items; ++a)
        for (int b = 0; b < a; ++b) {
            const std::vector<int> of_a = users(a), of_b = users(b);
            bool first = true, last = true, outside = true;
            for (const int i : of_a)
                for (const int j : of_b) first = first && before[i][j], last = last && before[j][i], outside = outside && i != j;
            if (!outside || of_a.empty() || of_b.empty()) continue;
            if (lifetimes.view().conflict(a, b) == (first || last))
                return "items " + std::to_string(b) + " and " + std::to_string(a) + (first || last ? " need not be apart" : " must be apart");
        }
    return {};
}

// Items of random sizes, placed: those in use at once lie apart, and all in what is said to be enough.
inline std::string check_places(const run_time_lifetimes& lifetimes, std::uint64_t seed) {
    dice d(seed);
    const int n = lifetimes.items;
    std::vector<std::size_t> sizes(n), offsets(n);
    for (std::size_t& size : sizes) size = static_cast<std::size_t>(d.below(5)) * cograph::core::arena_alignment;
    const std::size_t bytes = cograph::core::place_items(lifetimes.view(), sizes.data(), offsets.data());
    for (int i = 0; i < n; ++i) {
        if (sizes[i] == 0) continue;
        if (offsets[i] + sizes[i] > bytes) return "item " + std::to_string(i) + " lies behind the end";
        for (int j = 0; j < i; ++j)
            if (sizes[j] > 0 && lifetimes.view().conflict(i, j) && offsets[i] < offsets[j] + sizes[j] && offsets[j] < offsets[i] + sizes[i])
                return "items " + std::to_string(i) + " and " + std::to_string(j) + " overlap";
    }
    return "";
}

inline std::string check_lifetimes(const run_time_plan& plan, const run_time_lifetimes& lifetimes, int runs) {
    if (!lifetimes.intact) return "lifetimes: wrote behind a table";
    for (int a = 0; a < lifetimes.items; ++a)
        for (int b = 0; b < lifetimes.items; ++b)
            if (lifetimes.view().conflict(a, b) != lifetimes.view().conflict(b, a)) return "conflicts of items are not symmetric";
    std::string found = wrong_outside_bodies(plan, lifetimes);
    for (int run = 0; run < runs && found.empty(); ++run) found = shared_run(plan, lifetimes, run).found;
    return found;
}

}  // namespace plan_fuzz
