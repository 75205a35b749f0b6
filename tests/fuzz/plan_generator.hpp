// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan_tree.hpp"

#include <cstddef>

namespace plan_fuzz {

// Numbers below a bound, from a seed or from the bytes of a fuzzer; 0 when those are used up.
class dice {
public:
    explicit dice(std::uint64_t seed) : state_(seed) {}
    dice(const std::uint8_t* bytes, std::size_t size) : bytes_(bytes), left_(size) {}

    int below(int bound) {
        if (bytes_) return left_ ? (--left_, *bytes_++ % bound) : 0;
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;  // splitmix64 (Steele, Lea, Flood)
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return static_cast<int>((z ^ (z >> 31)) % static_cast<unsigned>(bound));
    }
    bool one_in(int n) { return below(n) == 0; }

private:
    std::uint64_t state_ = 0;
    const std::uint8_t* bytes_ = nullptr;
    std::size_t left_ = 0;
};

// Grows a tree of up to 8 nodes, one in 32 of up to 60, one in 1024 of up to 240, with conditionals nested up to five
// deep: most mistakes show in small trees, and more of those can be tried. Some trees have few variables, some many;
// some write often, some hardly ever; in some, nodes use one variable many times.
class generator {
public:
    explicit generator(dice& d)
        : dice_(d),
          variables_(1 + d.below(most_variables)),
          writes_(1 + d.below(12)),
          crowded_(d.one_in(8)) {}

    tree grow() {
        const int most = dice_.one_in(1024) ? 240 : dice_.one_in(32) ? 60 : 8;
        return group(1 + dice_.below(most), dice_.below(6));
    }

private:
    tree group(int nodes, int depth) {
        tree t{dice_.one_in(4) ? spec_kind::parallel : spec_kind::sequence};
        while (nodes > 0) {
            int spent = 1;
            if (depth > 0 && dice_.one_in(12)) t.children.push_back(passes());
            if (nodes > 1 && depth > 0 && dice_.one_in(3)) {
                spent = 1 + dice_.below(nodes);
                t.children.push_back(control(spent, depth - 1));
            } else if (nodes > 1 && dice_.one_in(8)) {
                spent = 1 + dice_.below(nodes / 2);
                t.children.push_back(group(spent, depth));
            } else {
                t.children.push_back(leaf());
            }
            nodes -= spent;
        }
        return t;
    }

    tree control(int nodes, int depth) {
        static constexpr spec_kind kinds[] = {spec_kind::loop_while, spec_kind::do_while, spec_kind::repeat,
                                              spec_kind::when,       spec_kind::when,     spec_kind::when,
                                              spec_kind::switch_on};
        tree t{kinds[dice_.below(7)]};
        t.arguments = predicate(t.kind);
        if (loops(t.kind) && dice_.one_in(6)) t.every = 2 + dice_.below(3);
        if (t.every > 1 && nodes > 12) nodes = 12;
        int bodies = 1;
        if (t.kind == spec_kind::when) bodies += dice_.below(2);
        if (t.kind == spec_kind::switch_on) bodies += dice_.below(4);
        for (int left = nodes - 1; bodies > 0; --bodies) {
            const int share = bodies == 1 ? left : dice_.below(left + 1);
            t.children.push_back(body(share, depth));
            if (loops(t.kind) && dice_.one_in(4)) t.children.back() = sequence({t.children.back(), passes()});
            left -= share;
        }
        return t;
    }

    // What a predicate asks of arrays: nodes of one record each.
    tree passes() {
        tree t = sequence({});
        t.passes = true;
        for (int left = 1 + dice_.below(2); left > 0; --left) {
            t.children.push_back(leaf());
            t.children.back().leaves = 1;
        }
        return t;
    }

    tree body(int nodes, int depth) {
        if (nodes == 1 && dice_.one_in(2)) return leaf();
        if (nodes > 0 && depth > 0 && dice_.one_in(4)) return control(nodes, depth - 1);
        return group(nodes, depth);
    }

    arguments predicate(spec_kind kind) {
        if (kind == spec_kind::repeat)
            return {counter, dice_.one_in(2) ? kept_value : in(dice_.below(variables_))};
        arguments made;
        if (loops(kind)) made.push_back(counter);
        if (loops(kind) && dice_.one_in(4)) made.push_back(domain_extent());  // a limit
        if (!loops(kind) && dice_.one_in(4)) made.push_back(counters_below);
        made.push_back(kept_value);
        for (int left = dice_.below(4); left > 0; --left) made.push_back(in(dice_.below(variables_)));
        if (dice_.one_in(16)) made.push_back(use(true));
        if (dice_.one_in(16)) made.push_back(scratch(16));
        return made;
    }

    tree leaf() {
        tree t;
        const int most = crowded_ ? 16 : dice_.one_in(8) ? 0 : 5;
        const bool writes = dice_.one_in(writes_);
        if (crowded_) favourite_ = dice_.below(2);
        for (int left = dice_.below(most + 1); left > 0; --left) t.arguments.push_back(any_argument(writes));
        if (dice_.one_in(3)) t.domain = extent(dice_.below(variables_));
        if (dice_.one_in(16)) t.domain = domain_extent(dice_.below(4));
        if (dice_.one_in(16)) t.leaves = 2 + dice_.below(3);
        if (dice_.one_in(16))
            for (int left = dice_.below(4); left > 0; --left) t.arguments.push_back(dice_.one_in(3) ? counters_below : counter);
        return t;
    }

    argument any_argument(bool writes) {
        switch (dice_.below(16)) {
            case 0: return kept_value;
            case 1: return extent(dice_.below(variables_));
            case 2: return dice_.one_in(2) ? stateless : domain_extent(dice_.below(4));
            case 3: return dice_.one_in(2) ? workspace() : scratch(8u << dice_.below(8));
            default: return use(writes);
        }
    }

    argument use(bool writes) {
        const int v = crowded_ && !dice_.one_in(8) ? favourite_ : dice_.below(variables_);
        if (pool[v].kind == variable_kind::value) return in(v);
        argument used = !writes || dice_.one_in(2) ? in(v) : dice_.one_in(2) ? out(v) : inout(v);
        used.each = pool[v].kind != variable_kind::view && dice_.one_in(4);
        return used;
    }

    dice& dice_;
    int variables_;
    int writes_;
    bool crowded_;
    int favourite_ = 0;
};

// Makes some nodes of three trees in four what they can be besides kernels, by dice of its own: what grows stays the same.
inline void give_forms(tree& t, dice& d, int rare) {
    if (t.kind == spec_kind::work && d.one_in(rare)) t.form = d.one_in(2) ? node_form::memory_copy : static_cast<node_form>(1 + d.below(6));
    if (t.kind == spec_kind::work && d.one_in(4 * rare)) t.device_only = true;
    if (t.form == node_form::memory_copy && (t.arguments.empty() || !t.arguments[0].variable || t.arguments[0].access != access_mode::read))
        t.form = node_form::captured;  // a copy reads its first argument
    if (t.form == node_form::wait) {  // for all elements
        t.domain = kept_value;
        for (argument& a : t.arguments) a.each = false;
    }
    for (tree& child : t.children) give_forms(child, d, rare);
}

inline tree grow_with_forms(dice& d, dice& of_forms) {
    tree t = generator(d).grow();
    if (!of_forms.one_in(4)) give_forms(t, of_forms, 1 << of_forms.below(6));
    return t;
}

inline tree random_tree(std::uint64_t number) {
    dice d(number), of_forms(~number);
    return grow_with_forms(d, of_forms);
}

}  // namespace plan_fuzz
