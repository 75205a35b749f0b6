// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan_generator.hpp"

// What enters and leaves a tree, by two ways to walk all paths through it.
namespace plan_fuzz {

// What a node writes; a record nothing.
inline mask changed_by(const tree& t) { return t.form == node_form::record ? 0 : written_by(t.arguments); }

// What a node has surely written behind it. A wait's marks tell what others write, and these reach neither temps nor scalars of the run.
inline mask settled_by(const tree& t) {
    mask all = changed_by(t);
    for (const argument& a : t.arguments)
        if (t.form == node_form::wait && a.variable && (a.variable->kind == variable_kind::temp || a.variable->kind == variable_kind::scalar)) all &= ~bit(a);
    return all;
}

// What enters a tree: walks all paths at once, with the variables that some path has not written yet.
struct model_flow {
    mask read = 0, written = 0, read_first = 0, always_written = 0;
    int first_reader[most_variables] = {};  // leaves

    explicit model_flow(const tree& t) { always_written = ~pass(t, ~mask{0}); }

private:
    mask use(const tree& t, int leaf, mask open) {
        read |= read_by(t.arguments);
        written |= changed_by(t);
        for (int v = 0; v < most_variables; ++v)
            if ((read_by(t.arguments) & open & ~read_first) >> v & 1) first_reader[v] = leaf;
        read_first |= read_by(t.arguments) & open;
        return open & ~settled_by(t);
    }

    mask pass(const tree& t, mask open) {
        const int leaf = leaves_;
        if (!is_group(t)) leaves_ += t.leaves;
        if (is_group(t)) {
            for (const tree& child : t.children) open = pass(child, open);
            return open;
        }
        if (t.kind == spec_kind::do_while) return rounds(t, leaf, round(t, leaf, open));
        open = use(t, leaf, open);
        if (t.kind == spec_kind::work) return open;
        if (loops(t.kind)) return rounds(t, leaf, open);
        const bool may_skip = t.kind == spec_kind::switch_on || t.children.size() == 1;
        mask after = may_skip ? open : 0;
        for (const tree& child : t.children) after |= pass(child, open);
        return after;
    }

    mask round(const tree& t, int leaf, mask open) { return use(t, leaf, pass(t.children[0], open)); }

    // Any number of rounds, none included.
    mask rounds(const tree& t, int leaf, mask open) {
        const int inside = leaf + 1;
        for (mask before = 0; before != open;) {
            before = open;
            leaves_ = inside;
            open |= round(t, leaf, open);
        }
        return open;
    }

    int leaves_ = 0;
};

// The same from single paths: one for each way to decide, as long as there are few; else some of them.
class model_paths {
public:
    mask read_first = 0, always_written = ~mask{0};
    bool complete = false;

    explicit model_paths(const tree& t) {
        for (int paths = 0; paths < 48 && !complete; ++paths) {
            run(t);
            while (at_ > 0 && decisions_[at_ - 1].first + 1 == decisions_[at_ - 1].second) --at_;
            complete = at_ == 0;
            decisions_.resize(at_);
            if (at_ > 0) ++decisions_.back().first;
        }
        random_ = true;
        for (int paths = 0; paths < 16 && !complete; ++paths) run(t);
    }

private:
    void run(const tree& t) {
        at_ = 0;
        written_ = 0;
        walk(t);
        always_written &= written_;
    }

    int decide(int ways) {
        if (random_) return dice_.below(ways);
        if (at_ == decisions_.size()) decisions_.push_back({0, ways});
        return decisions_[at_++].first;
    }

    void use(const tree& t) {
        read_first |= read_by(t.arguments) & ~written_;
        written_ |= settled_by(t);
    }

    void walk(const tree& t) {
        if (is_group(t)) {
            for (const tree& child : t.children) walk(child);
        } else if (loops(t.kind)) {
            if (t.kind != spec_kind::do_while) use(t);
            for (int rounds = decide(3) + (t.kind == spec_kind::do_while); rounds > 0; --rounds) {
                walk(t.children[0]);
                use(t);
            }
        } else {
            use(t);
            if (t.kind == spec_kind::work) return;
            const int ways = t.kind == spec_kind::when ? 2 : static_cast<int>(t.children.size()) + 1;
            const std::size_t way = decide(ways);
            if (way < t.children.size()) walk(t.children[way]);
        }
    }

    std::vector<std::pair<int, int>> decisions_;  // what was chosen, of how many
    std::size_t at_ = 0;
    bool random_ = false;
    dice dice_{0};
    mask written_ = 0;
};

}  // namespace plan_fuzz
