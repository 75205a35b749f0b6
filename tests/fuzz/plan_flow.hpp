// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan_generator.hpp"

#include <algorithm>

// What enters and leaves a tree, by two ways to walk all paths through it.
namespace plan_fuzz {

// What is known of sizes: those of variables, and whether those of shapes that are a number are. -1: unknown.
struct model_sizes {
    std::array<int, most_variables> counts{};
    bool knows_numbers = false;

    int domain(const tree& t) const {
        if (t.form != node_form::kernel) return -1;
        if (t.domain.form == argument_form::count) return knows_numbers ? static_cast<int>(t.domain.size) : -1;
        return t.domain.variable ? counts[number_of(t.domain.variable)] : -1;
    }
};
inline model_sizes sizes_of_declarations() {
    model_sizes made;
    for (int v = 0; v < most_variables; ++v) made.counts[v] = declared_size(v);
    return made;
}
inline model_sizes random_sizes(dice& d) {
    model_sizes made = sizes_of_declarations();
    for (int& count : made.counts)
        if (count < 0) count = d.below(4);
    made.knows_numbers = true;
    return made;
}

// How many elements of each variable are written, from the first on; -1: no node has written it.
constexpr int all_elements = 1 << 20;
struct model_parts : std::array<int, most_variables> {
    model_parts() { fill(-1); }
    explicit model_parts(int elements) { fill(elements); }
    mask begun() const {
        mask found = 0;
        for (int v = 0; v < most_variables; ++v) found |= mask{(*this)[v] >= 0} << v;
        return found;
    }
    void lower(const model_parts& to) {
        for (int v = 0; v < most_variables; ++v) (*this)[v] = std::min((*this)[v], to[v]);
    }
};

// How many elements of its variable an argument of a node touches; `guess` where sizes do not say.
inline int touched_by(const tree& t, const argument& a, const model_sizes& sizes, int guess) {
    if (!a.each || a.variable == t.domain.variable) return all_elements;
    const int count = sizes.counts[number_of(a.variable)], n = sizes.domain(t);
    return count < 0 || n < 0 ? guess : n < count ? n : all_elements;
}

// What a node writes; a record nothing.
inline mask changed_by(const tree& t) { return t.form == node_form::record ? 0 : written_by(t.arguments); }

// What a node reads before so much of it is written.
inline mask lacked_by(const tree& t, const model_sizes& sizes, const model_parts& written) {
    mask found = 0;
    for (const argument& a : t.arguments) {
        if (!read_by(a)) continue;
        const int has = written[number_of(a.variable)];
        const bool runs = has < 0 || sizes.domain(t) != 0;
        if (has < (runs ? touched_by(t, a, sizes, 0) : 0)) found |= bit(a);
    }
    return found;
}

// What a node has surely written behind it. A wait's marks tell what others write, and these reach neither temps nor scalars of the run.
inline void settle(const tree& t, const model_sizes& sizes, model_parts& written) {
    const mask changed = changed_by(t);
    for (const argument& a : t.arguments) {
        if (!(changed & written_by(a))) continue;
        if (t.form == node_form::wait && (a.variable->kind == variable_kind::temp || a.variable->kind == variable_kind::scalar)) continue;
        int& part = written[number_of(a.variable)];
        part = std::max(part, touched_by(t, a, sizes, all_elements));
    }
}

// What enters a tree: walks all paths at once, with what each of them has written.
struct model_flow {
    mask read = 0, written = 0, read_first = 0, always_written = 0;
    int first_reader[most_variables] = {};     // leaves
    int written_by_then[most_variables] = {};  // elements

    explicit model_flow(const tree& t, const model_sizes& sizes = sizes_of_declarations()) : sizes_(sizes) { always_written = pass(t, {}).begun(); }

private:
    model_parts use(const tree& t, int leaf, model_parts has) {
        read |= read_by(t.arguments);
        written |= changed_by(t);
        const mask lacked = lacked_by(t, sizes_, has) & ~read_first;
        for (int v = 0; v < most_variables; ++v) {
            if (!(lacked >> v & 1)) continue;
            first_reader[v] = leaf;
            written_by_then[v] = has[v];
        }
        read_first |= lacked;
        settle(t, sizes_, has);
        return has;
    }

    model_parts pass(const tree& t, model_parts has) {
        const int leaf = leaves_;
        if (!is_group(t)) leaves_ += t.leaves;
        if (is_group(t)) {
            for (const tree& child : t.children) has = pass(child, has);
            return has;
        }
        if (t.kind == spec_kind::do_while) return rounds(t, leaf, round(t, leaf, has));
        has = use(t, leaf, has);
        if (t.kind == spec_kind::work) return has;
        if (loops(t.kind)) return rounds(t, leaf, has);
        const bool may_skip = t.kind == spec_kind::switch_on || t.children.size() == 1;
        model_parts after = may_skip ? has : model_parts(all_elements);
        for (const tree& child : t.children) after.lower(pass(child, has));
        return after;
    }

    model_parts round(const tree& t, int leaf, const model_parts& has) { return use(t, leaf, pass(t.children[0], has)); }

    // Any number of rounds, none included.
    model_parts rounds(const tree& t, int leaf, model_parts has) {
        const int inside = leaf + 1;
        for (bool changes = true; changes;) {
            const model_parts before = has;
            leaves_ = inside;
            has.lower(round(t, leaf, has));
            changes = has != before;
        }
        return has;
    }

    model_sizes sizes_;
    int leaves_ = 0;
};

// The same from single paths: one for each way to decide, as long as there are few; else some of them.
class model_paths {
public:
    mask read_first = 0, always_written = ~mask{0};
    bool complete = false;

    explicit model_paths(const tree& t, const model_sizes& sizes = sizes_of_declarations()) : sizes_(sizes) {
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
        written_ = {};
        walk(t);
        always_written &= written_.begun();
    }

    int decide(int ways) {
        if (random_) return dice_.below(ways);
        if (at_ == decisions_.size()) decisions_.push_back({0, ways});
        return decisions_[at_++].first;
    }

    void use(const tree& t) {
        read_first |= lacked_by(t, sizes_, written_);
        settle(t, sizes_, written_);
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

    model_sizes sizes_;
    std::vector<std::pair<int, int>> decisions_;  // what was chosen, of how many
    std::size_t at_ = 0;
    bool random_ = false;
    dice dice_{0};
    model_parts written_;
};

}  // namespace plan_fuzz
