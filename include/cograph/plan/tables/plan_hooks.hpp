// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/analysis/liveness.hpp>
#include <cograph/plan/tables/tile_kind.hpp>

namespace cograph::core {

template <plan_counts Count, int Items>
struct lifetime_table {
    static constexpr int words = (Items + 63) / 64;
    int variables[Items + 1]{};
    std::uint64_t conflicts[Items * words + 1]{};

    constexpr explicit lifetime_table(const plan_view& plan) {
        constexpr int node_words = (Count.nodes + 63) / 64;
        int item_of[Count.variables + 1]{};
        number_items(plan, item_of);
        for (int v = 0; v < plan.count.variables; ++v)
            if (item_of[v] >= 0) variables[item_of[v]] = v;
        if constexpr (Items > 1) {
            int local[Count.nodes + 1]{}, only_user[Items + 1]{}, touched[Items + 1]{};
            std::uint64_t reach[Count.nodes * node_words + 1]{}, users[Items * node_words + 1]{}, before[Items * node_words + 1]{}, seen[words + 1]{};
            std::uint64_t uses[Count.nodes * words + 1]{}, enters[Count.regions * words + 1]{}, leaves[Count.regions * words + 1]{};
            liveness_pass{plan, item_of, Items, words,
                          {local, reach, users, before, only_user, touched, seen, uses, enters, leaves, node_words}, conflicts}
                .pass(0);
        }
    }
};

// The lifetimes of an expression type, computed in constant evaluation.
template <class E>
struct lifetimes_of {
    static constexpr int count() {
        int item_of[plan_of<E>::view.count.variables + 1]{};
        return number_items(plan_of<E>::view, item_of);
    }
    static constexpr int items = count();
    static constexpr lifetime_table<plan_of<E>::view.count, items> table{plan_of<E>::view};
    static constexpr lifetime_view view{table.variables, table.conflicts, items, (items + 63) / 64};
};

// The needs of executors from an expression type. Functions that not every plan needs are null otherwise, so that a
// program contains them only if an expression needs them.
struct frame;
struct arena_layout;
// The launch of a persistent kernel with tiles, and the facts that it depends on.
struct tile_device {
    int sms, shared_bytes;  // of a block, at most
    bool has_clusters;
};
struct tile_launch {
    int elements_a_thread = 0;  // 0: without tiles
    int blocks = 1, threads = 0, shared = 0;
    bool is_cluster = false;
    tile_kind kind = tile_kind::plain;
};
// How many groups a block has, and their shared memory.
struct groups_of_block {
    unsigned groups, bytes;
};
struct run_plan {
    const plan_view& plan;
    const lifetime_view& lifetimes;
    void (*place_temps)(const frame&, arena_layout&, bool share) = nullptr;
    void (*set_initial)(frame&) = nullptr;                   // of values that are not bound
    void (*complete_extents)(frame&) = nullptr;              // of temps and scalars
    void (*compute_values)(frame&) = nullptr;                // of formulas over extents and values
    void (*check_copy)(const frame&, const plan_node&) = nullptr;    // check_box
    void (*check_limits)(const frame&, const plan_node&) = nullptr;  // of loops
    void (*check_assignment)(const frame&) = nullptr;  // of temps that are written in part
    tile_launch (*shape_in_tiles)(const frame&, const plan_node&, const tile_device&) = nullptr;
    groups_of_block (*shared_of_groups)(const frame&, const plan_node&, unsigned threads, unsigned room) = nullptr;
    void (*refuse_read)(const frame&, const plan_node&, std::int64_t number) = nullptr;  // of neighbours, on the host
};

}  // namespace cograph::core
