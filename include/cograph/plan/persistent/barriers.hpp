// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/races.hpp>
#include <cograph/plan/persistent/eligibility.hpp>
#include <cograph/plan/persistent/pending_use.hpp>
#include <cograph/plan/tables/measure.hpp>

namespace cograph::core {

// Finds the barriers of a persistent kernel: before which nodes, and before which loops test again. Two nodes need
// one between them if they conflict on memory, unless both access only their own elements over one domain: then one
// thread runs both. Scalars need none: every thread has copies of its own. A loop's body is traversed twice, the
// second time after itself.
//
// Also finds which nodes over elements join the one before them: their elements are run in one loop, followed by the
// barrier and the results of all reductions of such a group. That needs one domain, no conflict in the group except on
// own elements, and none with earlier accesses.
//
// If tiles stay on chip (tiles.hpp), all nodes over elements are over one box. Of variables on chip, only neighbours'
// reads of written elements need other blocks; writes after reads of neighbours need the threads of the block, and may
// join the group of those.
template <int Leaves>
struct leaf_barriers {
    barrier before[Leaves + 1]{};
    barrier again[Leaves + 1]{};
    bool splits[Leaves + 1]{};  // does not join the node before it
    unsigned char rolled[Leaves + 1]{};  // may run in a loop over those beside it of the same number, if not 0
    bool narrow[Leaves + 1]{};           // the first block may run it, if each of its threads has one element at most
};
template <int Variables, int Leaves, class OnChip = nothing_on_chip>
struct barrier_pass : leaf_barriers<Leaves> {
    using leaf_barriers<Leaves>::before;
    using leaf_barriers<Leaves>::again;
    using leaf_barriers<Leaves>::splits;
    variable_numbering<Variables> number{};
    pending_use pending[Variables + 1]{};
    const node_spec* group[Leaves + 1]{};
    int group_size = 0, reductions_in_group = 0;
    int most_reductions = 0;  // in any group
    bool changed = false;     // a barrier or a group, since a loop's body was begun
    pending_use before_group[Variables + 1]{};

    constexpr void order(barrier& slot, barrier needed) {
        if (needed > slot) {
            slot = needed;
            changed = true;
        }
        if (slot == barrier::grid) clear();
        if constexpr (OnChip::any)
            for (int v = 0; v < number.count && slot != barrier::none; ++v)
                if (OnChip::has(number.known[v])) pending[v].read = false, pending[v].written_each = slot == barrier::block ? pending[v].written_each : 0;
    }
    constexpr void clear() {
        for (int v = 0; v < number.count; ++v) pending[v] = {};
    }

    static constexpr bool is_scalar(const argument& a) { return a.variable->kind == variable_kind::scalar; }
    static constexpr bool is_in_memory(const argument& a) { return reaches_memory(a) && !is_scalar(a); }
    static constexpr bool over_elements(const node_spec& tree) {
        return tree.kind == spec_kind::work && tree.traits->counts_elements;
    }
    static constexpr bool reduces(const node_spec& tree) { return over_elements(tree) && tree.traits->reduces; }

    // 1 + the number of the variable whose extent the node runs over, a thread an element; 0 if there is none.
    constexpr int domain_of(const node_spec& tree) {
        if constexpr (OnChip::any) return over_elements(tree) && tree.traits->threads_of_group == 0 ? 1 : 0;  // a loop with groups has no tiles
        const variable_info* counted = over_elements(tree) && tree.traits->threads_of_group == 0 && tree.traits->every == 1 ? extent_source(tree.arguments[0].variable) : nullptr;
        return counted ? 1 + number(counted) : 0;
    }

    // Nodes over one domain give an element to one thread, however many of them run.
    static constexpr const variable_info* length_of(const node_spec& tree) { return tree.traits->has_length ? tree.arguments[1].variable : nullptr; }

    constexpr barrier needed(const pending_use* uses, const argument& a, int domain) {
        const pending_use& use = uses[number(a.variable)];
        if constexpr (OnChip::any)
            if (OnChip::has(a.variable))
                return a.near && use.written_each != 0 ? barrier::neighbours : writes(a.access) && use.read ? barrier::block : barrier::none;
        const auto elsewhere = [&](int each_domain) { return each_domain != 0 && !(a.each && each_domain == domain && domain > 0); };
        const bool behind_write = use.written || elsewhere(use.written_each);
        const bool behind_read = use.read || elsewhere(use.read_each);
        return behind_write || (writes(a.access) && behind_read) ? barrier::grid : barrier::none;
    }

    constexpr barrier needed(const pending_use* uses, const node_spec& tree) {
        const int domain = domain_of(tree);
        barrier most = barrier::none;
        for (int i = 0; i < tree.argument_count; ++i)
            if (is_in_memory(tree.arguments[i])) {
                const barrier b = needed(uses, tree.arguments[i], domain);
                if (b > most) most = b;
            }
        return most;
    }

    constexpr void note(const argument& a, int domain) {
        pending_use& use = pending[number(a.variable)];
        if (a.each) {
            const int id = domain > 0 ? domain : -1;
            if (reads(a.access)) use.read_each = join_domains(use.read_each, id);
            if (writes(a.access)) use.written_each = join_domains(use.written_each, id);
        } else {
            use.read |= reads(a.access);
            use.written |= writes(a.access);
        }
    }

    constexpr bool joins_group(const node_spec& tree) {
        if (group_size == 0 || !over_elements(tree) || domain_of(tree) == 0 || domain_of(tree) != domain_of(*group[0]) || length_of(tree) != length_of(*group[0])) return false;
        if (reduces(tree) && reductions_in_group == most_joined_reductions) return false;
        for (int i = 0; i < group_size; ++i)
            if ((conflict(*group[i], tree) && !(OnChip::any ? conflicts_in_block(*group[i], tree) : conflicts_in_result(*group[i], tree))) ||
                (has_large_result(tree) && has_large_result(*group[i])))
                return false;
        return needed(before_group, tree) <= (OnChip::any ? barrier::block : barrier::none);
    }
    // Whether conflicting nodes do so only on chip, and the first reads neighbours that the second writes.
    static constexpr bool conflicts_in_block(const node_spec& a, const node_spec& b) {
        for (int i = 0; i < a.argument_count; ++i)
            for (int j = 0; j < b.argument_count; ++j) {
                const argument& x = a.arguments[i];
                const argument& y = b.arguments[j];
                if (!reaches_memory(x) || !reaches_memory(y) || x.variable != y.variable || (x.each && y.each)) continue;
                if ((writes(x.access) || writes(y.access)) && !(OnChip::has(x.variable) && x.near)) return false;
            }
        return true;
    }
    // Whether conflicting nodes do so only because the first reads the scalar that the second, a reduction, gives: a group has its results when
    // all of its elements are done.
    static constexpr bool conflicts_in_result(const node_spec& a, const node_spec& b) {
        if (!reduces(b)) return false;
        for (int i = 0; i < a.argument_count; ++i)
            for (int j = 0; j < b.argument_count; ++j) {
                const argument& x = a.arguments[i];
                const argument& y = b.arguments[j];
                if (!reaches_memory(x) || !reaches_memory(y) || x.variable != y.variable || (x.each && y.each)) continue;
                if (writes(x.access) || (writes(y.access) && !is_scalar(y))) return false;
            }
        return true;
    }
    // The needs of a node that joins a group.
    constexpr barrier needed_in_group(const node_spec& tree) {
        barrier most = needed(before_group, tree);
        for (int i = 0; i < group_size; ++i)
            if (conflict(*group[i], tree)) most = barrier::block;
        return most;
    }

    // A reduction has its own barrier after all of its accesses to memory.
    constexpr void touch(const node_spec& tree, barrier& slot) {
        order(slot, needed(pending, tree));
        if (reduces(tree)) {
            clear();
            return;
        }
        const int domain = domain_of(tree);
        for (int i = 0; i < tree.argument_count; ++i)
            if (is_in_memory(tree.arguments[i])) note(tree.arguments[i], domain);
    }

    // Swapped buffers touch no memory: each has the uses of the other from then on.
    constexpr void exchange(const node_spec& tree) {
        pending_use& a = pending[number(tree.arguments[1].variable)];
        pending_use& b = pending[number(tree.arguments[2].variable)];
        const pending_use of_a = a;
        a = b;
        b = of_a;
        group_size = 0;
    }

    constexpr void work(const node_spec& tree, int leaf) {
        if (tree.traits->exchanges) {
            splits[leaf] = true;
            exchange(tree);
            return;
        }
        const bool joins = before[leaf] <= (OnChip::any ? barrier::block : barrier::none) && !splits[leaf] && joins_group(tree);
        if (OnChip::any && joins) order(before[leaf], needed_in_group(tree));
        if (!joins) {
            changed = changed || !splits[leaf];
            splits[leaf] = true;
            order(before[leaf], needed(pending, tree));
            for (int v = 0; v < number.count; ++v) before_group[v] = pending[v];
            group_size = reductions_in_group = 0;
        }
        touch(tree, before[leaf]);
        if (!over_elements(tree)) return;
        group[group_size++] = &tree;
        reductions_in_group += reduces(tree);
        if (reductions_in_group > 0) clear();  // the barrier follows the whole group
        if (reductions_in_group > most_reductions) most_reductions = reductions_in_group;
    }

    constexpr void join(const pending_use* other) {
        for (int v = 0; v < number.count; ++v) {
            pending[v].read |= other[v].read;
            pending[v].written |= other[v].written;
            pending[v].read_each = join_domains(pending[v].read_each, other[v].read_each);
            pending[v].written_each = join_domains(pending[v].written_each, other[v].written_each);
        }
    }

    struct saved {
        pending_use uses[Variables + 1]{};
        constexpr saved(const pending_use* from, int count) {
            for (int v = 0; v < count; ++v) uses[v] = from[v];
        }
    };

    // If buffers are exchanged, each has the uses of another one after some iterations. Adds the uses before an iteration to those after
    // it; false if the iteration has added none.
    constexpr bool adds_uses_to(const saved& start) {
        join(start.uses);
        for (int v = 0; v < number.count; ++v)
            if (pending[v] != start.uses[v]) return true;
        return false;
    }

    // The nodes before a loop tests again: its body, which also follows itself if there are iterations without a
    // test, and the passes of its predicate.
    constexpr void pass_body(const node_spec& body, int leaf, int every) {
        const int repeated = every > 1 ? repeated_children(body) : -1;
        const bool exchanges = every > 1 && has_exchanges(body);
        bool more = true;
        for (int copy = 0; copy < (every > 1 ? 2 : 1) || (exchanges && more); ++copy) {
            const saved start(pending, number.count);
            pass(repeated < 0 ? body : *body.children[0], leaf);
            group_size = 0;
            if (exchanges) more = adds_uses_to(start);
        }
        if (repeated >= 0) pass(*body.children[1], leaf + count_leaves(*body.children[0]));
    }

    constexpr void pass(const node_spec& tree, int leaf) {
        int below = leaf + (is_group(tree) ? 0 : 1);
        if (is_group(tree)) {
            for (int i = 0; i < tree.child_count; ++i) {
                pass(*tree.children[i], below);
                below += count_leaves(*tree.children[i]);
            }
            return;
        }
        if (tree.kind == spec_kind::work) {
            work(tree, leaf);
            return;
        }
        if (tree.kind != spec_kind::do_while) touch(tree, before[leaf]);
        group_size = 0;

        const saved entry(pending, number.count);
        if (is_loop(tree.kind)) {
            const bool changed_before = changed;
            bool settled = false, changes = false;
            // If buffers are exchanged, until no iteration adds a use.
            const bool exchanges = has_exchanges(tree);
            bool more = true;
            for (int round = 0; round < 2 || (exchanges && more) || (OnChip::any && !settled); ++round) {
                const saved start(pending, number.count);
                changed = false;
                pass_body(*tree.children[0], below, tree.every);
                touch(tree, again[leaf]);
                group_size = 0;
                join(entry.uses);
                settled = !changed;
                changes = changes || changed;
                if (exchanges) more = adds_uses_to(start);
            }
            changed = changed_before || (OnChip::any && changes);
            return;
        }
        saved all(pending, number.count);
        for (int i = 0; i < tree.child_count; ++i) {
            for (int v = 0; v < number.count; ++v) pending[v] = entry.uses[v];
            pass(*tree.children[i], below);
            group_size = 0;
            below += count_leaves(*tree.children[i]);
            join(all.uses);
            all = saved(pending, number.count);
        }
    }
};

}  // namespace cograph::core
