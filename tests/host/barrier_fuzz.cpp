// SPDX-License-Identifier: Apache-2.0

// Random loops as persistent kernels: the barriers that the code for constant evaluation finds, along random
// paths, against brute force. Between two barriers, what one node writes no other may touch, unless both keep
// to their own elements of one domain, or the first block runs both and its threads meet in between.

#include "../catch.hpp"
#include "../fuzz/plan_generator.hpp"

#include <cograph.hpp>
#include <cograph/plan/persistent/barriers.hpp>
#include <cograph/plan/phases/phases.hpp>

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace cograph::core;
using plan_fuzz::dice;

constexpr int memories = 4, scalars = 3, most_leaves = 48;

constexpr size_rule some_formula{};

struct variables {
    variable_info memory[memories]{}, scalar[scalars]{};

    variables() {
        for (variable_info& m : memory) m.kind = variable_kind::buffer;
        for (variable_info& s : scalar) s.kind = variable_kind::scalar, s.size = 8;
        memory[1].like = &memory[0];
        memory[2].like = &memory[1];
        memory[3].size_by = &some_formula;
    }
};

// Grows trees, which live as long as it does.
class forest {
public:
    explicit forest(dice& d) : dice_(d), left_(3 + d.below(14)), exchanges_(d.one_in(2)) {}

    const node_spec& loop() { return control(true, 3); }

private:
    struct node {
        node_spec tree;
        std::vector<argument> arguments;
        std::vector<const node_spec*> children;
    };
    static const node_spec& finish(node& n) {
        n.tree.arguments = n.arguments.data();
        n.tree.argument_count = static_cast<int>(n.arguments.size());
        n.tree.children = n.children.data();
        n.tree.child_count = static_cast<int>(n.children.size());
        return n.tree;
    }
    node& add(spec_kind kind) {
        nodes_.push_back({node_spec{.kind = kind, .name = {}}, {}, {}});
        return nodes_.back();
    }

    argument memory(bool may_write) {
        static constexpr access_mode modes[] = {access_mode::read, access_mode::read, access_mode::write, access_mode::read_write};
        argument a{argument_form::pointer};
        a.variable = &variables_.memory[dice_.below(memories)];
        a.access = modes[may_write ? dice_.below(4) : 0];
        return a;
    }
    argument scalar(access_mode access) {
        argument a{argument_form::pointer};
        a.variable = &variables_.scalar[dice_.below(scalars)];
        a.access = access;
        return a;
    }

    const node_spec& work() {
        --left_;
        node& n = add(spec_kind::work);
        const int uses = 1 + dice_.below(3), rule = dice_.below(exchanges_ ? 5 : 4);
        if (rule == 4) return exchange(n);
        if (rule == 0) {
            n.tree.traits = &cograph::core::single_task_stage::traits;
            for (int i = 0; i < uses; ++i)
                n.arguments.push_back(dice_.one_in(3)
                                          ? memory(false)
                                          : scalar(dice_.one_in(2) ? access_mode::read : access_mode::read_write));
            return finish(n);
        }
        n.tree.traits = rule == 3 ? &cograph::core::reduce_stage::traits : &cograph::core::for_each_stage::traits;
        argument domain{argument_form::extent};
        if (!dice_.one_in(8)) domain.variable = &variables_.memory[dice_.below(memories)];
        n.arguments.push_back(domain);
        if (rule != 3 && dice_.one_in(4)) {
            static constexpr node_traits some = cograph::core::for_each_stage::traits.with_length();
            n.tree.traits = &some;
            n.arguments.push_back(scalar(access_mode::read));
        }
        if (rule == 3) {
            n.arguments.push_back({argument_form::scratch});
            n.arguments.push_back(scalar(access_mode::write));
        }
        for (int i = 0; i < uses; ++i) {
            n.arguments.push_back(dice_.one_in(3) ? scalar(access_mode::read) : memory(true));
            n.arguments.back().each =
                n.arguments.back().variable->kind == variable_kind::buffer && !dice_.one_in(3);
        }
        return finish(n);
    }

    // Of two buffers of one length.
    const node_spec& exchange(node& n) {
        n.tree.traits = &cograph::core::swap_elements::traits;
        const int first = dice_.below(3), second = (first + 1 + dice_.below(2)) % 3;
        for (const int m : {first, first, second}) {
            argument a{argument_form::pointer};
            a.variable = &variables_.memory[m];
            a.access = access_mode::read_write;
            a.each = true;
            n.arguments.push_back(a);
        }
        n.arguments[0] = {argument_form::extent, access_mode::none, n.arguments[0].variable};
        return finish(n);
    }

    const node_spec& control(bool loops, int depth) {
        static constexpr spec_kind kinds[] = {spec_kind::loop_while, spec_kind::do_while, spec_kind::repeat,
                                              spec_kind::when, spec_kind::switch_on};
        --left_;
        node& n = add(kinds[dice_.below(loops ? 3 : 5)]);
        for (int i = 1 + dice_.below(2); i > 0; --i)
            n.arguments.push_back(dice_.one_in(5) ? memory(false) : scalar(access_mode::read));
        if (is_loop(n.tree.kind) && dice_.one_in(6)) n.tree.every = 3;
        const int bodies = is_loop(n.tree.kind)             ? 1
                           : n.tree.kind == spec_kind::when ? 1 + dice_.below(2)
                                                            : 1 + dice_.below(3);
        for (int i = 0; i < bodies; ++i)
            n.children.push_back(dice_.one_in(4) ? &work() : &sequence(depth - 1));
        return finish(n);
    }

    const node_spec& sequence(int depth) {
        node& n = add(spec_kind::sequence);
        for (int i = dice_.below(6); i > 0 && left_ > 0; --i) {
            const int what = depth > 0 ? dice_.below(5) : 4;
            n.children.push_back(what == 0   ? &control(false, depth)
                                 : what == 1 ? &sequence(depth - 1)
                                             : &work());
        }
        return finish(n);
    }

    dice& dice_;
    int left_;
    bool exchanges_;  // buffers are swapped
    variables variables_;
    std::deque<node> nodes_;
};

// Runs a loop along one path, as persistent kernels do.
class path {
public:
    path(const leaf_barriers<most_leaves>& found, int most_reductions, dice& d) : found_(found), most_reductions_(most_reductions), dice_(d), size_(dice_.below(3)), other_size_(dice_.below(3)) {}

    int met_in_block = 0;

    std::string run(const node_spec& loop) {
        control(loop, 0);
        return wrong_;
    }

private:
    struct touch {
        const variable_info* memory;
        bool writes;
        const variable_info* domain;  // of own elements alone, or null
        int node;
        int phase;    // counts how often the first block has met alone; -1 if other blocks have elements, too
        bool as_few;  // threads have elements as in nodes that the first block may run
    };
    struct place {
        const variable_info *variable, *at;
    };
    struct step {
        const node_spec* tree;
        int leaf;
    };

    void keep(barrier b, bool in_first_block = false) {
        if (b == barrier::none) return;
        if (state_.meets_grid(b, in_first_block))
            since_.clear();
        else if (b == barrier::of_phase)
            ++phase_, ++met_in_block;
    }
    // Three of the memories have one extent: of one chunk, of one block, or more.
    bool is_in_first_block(const node_spec& tree, int leaf) {
        const variable_info* const domain = domain_of(tree);
        if (!domain) return false;
        if (!first_) first_ = domain;
        const int size = length_of(tree) && dice_.one_in(3) ? 0 : domain == first_ ? size_ : other_size_;
        return size == 0 || (size == 1 && found_.narrow[leaf]);
    }
    bool is_one_chunk(const variable_info* domain) const { return (domain == first_ ? size_ : other_size_) == 0; }
    static const variable_info* domain_of(const node_spec& tree) {
        if (tree.kind != spec_kind::work || tree.traits->one_thread) return nullptr;
        return extent_source(tree.arguments[0].variable);
    }
    // Where the elements of a variable are, which is swapped with others; it is called by whose they were.
    const variable_info*& place_of(const variable_info* v) {
        for (place& known : places_)
            if (known.variable == v) return known.at;
        places_.push_back({v, v});
        return places_.back().at;
    }
    void use(const node_spec& tree, bool in_first_block = false, bool as_few = false) {
        ++node_;
        for (int i = 0; i < tree.argument_count; ++i) {
            const argument& a = tree.arguments[i];
            if (!a.variable || a.variable->kind == variable_kind::scalar || a.access == access_mode::none) continue;
            const touch now{place_of(a.variable), writes(a.access), a.each ? domain_of(tree) : nullptr, node_, in_first_block ? phase_ : -1, as_few};
            for (const touch& before : since_) {
                const bool one_thread = now.domain && now.domain == before.domain && (now.as_few == before.as_few || is_one_chunk(now.domain));
                if (before.memory == now.memory && before.node != node_ && (before.writes || now.writes) &&
                    !one_thread && !(before.phase >= 0 && now.phase > before.phase))
                    wrong_ = "two nodes meet in memory";
            }
            since_.push_back(now);
        }
    }

    static void flatten(const node_spec& tree, int leaf, std::vector<step>& to) {
        if (!is_group(tree)) {
            to.push_back({&tree, leaf});
            return;
        }
        for (int i = 0; i < tree.child_count; ++i) {
            flatten(*tree.children[i], leaf, to);
            leaf += count_leaves(*tree.children[i]);
        }
    }
    static const variable_info* length_of(const node_spec& tree) { return tree.traits->has_length ? tree.arguments[1].variable : nullptr; }
    static bool is_over_elements(const node_spec& tree) {
        return tree.kind == spec_kind::work && !tree.traits->one_thread;
    }

    void body(const node_spec& tree, int leaf) {
        std::vector<step> steps;
        flatten(tree, leaf, steps);
        for (std::size_t i = 0; i < steps.size() && wrong_.empty();) {
            const node_spec& first = *steps[i].tree;
            if (first.kind != spec_kind::work) {
                control(first, steps[i++].leaf);
                continue;
            }
            bool reduces = false;
            for (std::size_t k = i; k < steps.size() && (k == i || (is_over_elements(*steps[k].tree) && !found_.splits[steps[k].leaf])); ++k) reduces = reduces || steps[k].tree->traits->reduces;
            const bool as_few = found_.narrow[steps[i].leaf];
            const bool in_first_block = is_over_elements(first) && !first.traits->exchanges && !reduces && is_in_first_block(first, steps[i].leaf);
            keep(found_.before[steps[i].leaf], in_first_block);
            if (first.traits->exchanges) {
                place_of(first.arguments[2].variable);  // known by now, so that no place moves
                std::swap(place_of(first.arguments[1].variable), place_of(first.arguments[2].variable));
                ++i;
                continue;
            }
            if (!is_over_elements(first)) {
                use(first);
                ++i;
                continue;
            }
            if (!found_.splits[steps[i].leaf]) wrong_ = "a node joins nothing";
            int reductions = 0;
            do {
                if (length_of(*steps[i].tree) != length_of(first)) wrong_ = "nodes of two lengths are in one loop";
                use(*steps[i].tree, in_first_block, as_few);
                reductions += steps[i].tree->traits->reduces;
                ++i;
            } while (i < steps.size() && is_over_elements(*steps[i].tree) && !found_.splits[steps[i].leaf]);
            if (reductions > most_reductions_ || reductions > most_joined_reductions)
                wrong_ = "too many reductions at once";
            if (reductions > 0) since_.clear(), state_ = {};
        }
    }

    void control(const node_spec& tree, int leaf) {
        int below = leaf + 1;
        if (tree.kind != spec_kind::do_while) {
            keep(found_.before[leaf]);
            use(tree);
        }
        if (is_loop(tree.kind)) {
            for (int round = dice_.below(6); round > 0 && wrong_.empty(); --round) {
                for (int pass = 0; pass < tree.every; ++pass) body(*tree.children[0], below);
                keep(found_.again[leaf]);
                use(tree);
            }
            return;
        }
        const int chosen = dice_.below(tree.child_count + 1);
        for (int i = 0; i < tree.child_count; ++i) {
            if (i == chosen) body(*tree.children[i], below);
            below += count_leaves(*tree.children[i]);
        }
    }

    const leaf_barriers<most_leaves>& found_;
    int most_reductions_;
    dice& dice_;
    int size_, other_size_;  // of the one extent, and of others
    const variable_info* first_ = nullptr;
    phase_state state_;
    int phase_ = 0;
    std::vector<touch> since_;
    std::deque<place> places_;
    std::string wrong_;
    int node_ = 0;
};

}  // namespace

TEST_CASE("barriers of random loops keep threads apart", "[fuzz]") {
    int met_in_block = 0;  // in phases
    for (std::uint64_t number = 0; number < 30'000; ++number) {
        dice d(number);
        forest trees(d);
        const node_spec& loop = trees.loop();
        if (count_leaves(loop) > most_leaves) continue;
        barrier_pass<64, most_leaves> found{};
        found.pass(loop, 0);
        const leaf_barriers<most_leaves> with_phases = phase_search<most_leaves>(found, loop).found;
        for (int paths = 0; paths < 20; ++paths) {
            path one(paths < 10 ? found : with_phases, found.most_reductions, d);
            const std::string wrong = one.run(loop);
            INFO("loop " << number);
            REQUIRE(wrong == "");
            met_in_block += one.met_in_block;
        }
    }
    CHECK(met_in_block > 1'000);
}
